"""A node of somebody else's on a ROS 2 graph: its parameters, and the states of its life (lifecycle)."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from enum import IntEnum
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from stressfield.bridge.ros2.graph import CALL_S, Ros2Graph
from stressfield.bridge.ros2.wire import Role
from stressfield.bus import Interfaces
from stressfield.errors import InputError, RigError, did_you_mean

Value: TypeAlias = (
    bool | int | float | str | Sequence[bool] | Sequence[int] | Sequence[float] | Sequence[str] | bytes | None
)
"""What a parameter may be; None is one that is not set."""

POLL_S = 0.1
"""How often a node is asked for its state while one waits for another."""

_PARAMETER_VALUE = """\
uint8 type
bool bool_value
int64 integer_value
float64 double_value
string string_value
byte[] byte_array_value
bool[] bool_array_value
int64[] integer_array_value
float64[] double_array_value
string[] string_array_value
"""
_FIELDS = (
    "", "bool_value", "integer_value", "double_value", "string_value", "byte_array_value", "bool_array_value",
    "integer_array_value", "double_array_value", "string_array_value",
)  # fmt: skip
"""The field of a value, by its type: rcl_interfaces/msg/ParameterType."""

_NOT_SET, _BOOL, _INTEGER, _DOUBLE, _STRING, _BYTES, _BOOLS, _INTEGERS, _DOUBLES, _STRINGS = range(10)
_TEXTS = {
    "rcl_interfaces/msg/ParameterValue": _PARAMETER_VALUE,
    "rcl_interfaces/msg/Parameter": "string name\nParameterValue value\n",
    "rcl_interfaces/msg/SetParametersResult": "bool successful\nstring reason\n",
    "rcl_interfaces/msg/ListParametersResult": "string[] names\nstring[] prefixes\n",
    "rcl_interfaces/srv/GetParameters": "string[] names\n---\nParameterValue[] values\n",
    "rcl_interfaces/srv/SetParameters": "Parameter[] parameters\n---\nSetParametersResult[] results\n",
    "rcl_interfaces/srv/ListParameters": "string[] prefixes\nuint64 depth\n---\nListParametersResult result\n",
    "lifecycle_msgs/msg/State": "uint8 id\nstring label\n",
    "lifecycle_msgs/msg/Transition": "uint8 id\nstring label\n",
    "lifecycle_msgs/srv/GetState": "---\nState current_state\n",
    "lifecycle_msgs/srv/ChangeState": "Transition transition\n---\nbool success\n",
    "std_srvs/srv/Trigger": "---\nbool success\nstring message\n",
    "std_srvs/srv/Empty": "---\n",
}


@cache
def interfaces() -> Interfaces:
    """The types by which nodes are asked about themselves."""
    made = Interfaces()
    for name, text in _TEXTS.items():
        made.add_text(name, text)
    return made


class LifecycleState(IntEnum):
    """Where a managed node is in its life: lifecycle_msgs/msg/State."""

    UNKNOWN = 0
    UNCONFIGURED = 1
    INACTIVE = 2
    ACTIVE = 3
    FINALIZED = 4
    CONFIGURING = 10
    CLEANING_UP = 11
    SHUTTING_DOWN = 12
    ACTIVATING = 13
    DEACTIVATING = 14
    ERROR_PROCESSING = 15


class Transition(IntEnum):
    """What a managed node can be told to do: lifecycle_msgs/msg/Transition."""

    CONFIGURE = 1
    CLEANUP = 2
    ACTIVATE = 3
    DEACTIVATE = 4
    UNCONFIGURED_SHUTDOWN = 5
    INACTIVE_SHUTDOWN = 6
    ACTIVE_SHUTDOWN = 7


class Ros2Node:
    """Asks a node and tells it: ``Ros2Node(graph, "/controller_server").parameters("controller_frequency")``."""

    def __init__(self, graph: Ros2Graph, name: str) -> None:
        self._graph, self.name = graph, f"/{name.strip('/')}"

    def _call(self, short: str, package: str, service: str, *given: Any, within_s: float) -> Any:
        made = interfaces().service(f"{package}/srv/{service}")
        name = f"{self.name}/{short}"
        nodes = {found.node for found in self._graph.endpoints(Role.NODE)}
        if self.name not in nodes and not self._graph.endpoints(Role.SERVER, name=name):
            raise InputError(
                f"No node is called {self.name} on domain {self._graph.domain}. There are: "
                f"{', '.join(sorted(nodes)) or 'none'}.{did_you_mean(self.name, nodes)}"
            )
        return self._graph.call(name, made, made.request(*given), within_s=within_s)

    # --- parameters -----------------------------------------------------------------------------------------------

    def parameter_names(self, *, within_s: float = CALL_S) -> tuple[str, ...]:
        """The names of all its parameters."""
        answer = self._call("list_parameters", "rcl_interfaces", "ListParameters", (), 0, within_s=within_s)
        return tuple(sorted(answer.result.names))

    def parameters(self, *names: str, within_s: float = CALL_S) -> dict[str, Value]:
        """The values of some parameters; InputError for one that the node does not have."""
        values = self._call("get_parameters", "rcl_interfaces", "GetParameters", names, within_s=within_s).values
        if len(values) != len(names) or any(value.type == _NOT_SET for value in values):
            # rclcpp answers with nothing at all if one of them is not declared; others say that it is not set
            known = self.parameter_names(within_s=within_s)
            missing = next((name for name in names if name not in known), "")
            if missing:
                raise InputError(f"{self.name} has no parameter {missing!r}.{did_you_mean(missing, known)}")
        return {name: _python(value) for name, value in zip(names, values, strict=False)}

    def set_parameters(self, values: Mapping[str, Value], *, within_s: float = CALL_S) -> None:
        """Set parameters; InputError with the node's own reason if it refuses one."""
        parameter = interfaces().message("rcl_interfaces/msg/Parameter")
        asked = tuple(parameter(name, _value(name, value)) for name, value in values.items())
        answer = self._call("set_parameters", "rcl_interfaces", "SetParameters", asked, within_s=within_s)
        for name, result in zip(values, answer.results, strict=True):
            if not result.successful:
                reason = result.reason or "no reason given"
                raise InputError(f"{self.name} did not set {name!r} to {values[name]!r}: {reason}.")

    # --- life -----------------------------------------------------------------------------------------------------

    def state(self, *, within_s: float = CALL_S) -> LifecycleState:
        """Where the node is in its life."""
        answer = self._call("get_state", "lifecycle_msgs", "GetState", within_s=within_s)
        return LifecycleState(answer.current_state.id)

    def change_state(self, transition: Transition, *, within_s: float = 10.0) -> bool:
        """Tell the node to go to another state; False if it could not."""
        told = interfaces().message("lifecycle_msgs/msg/Transition")(int(transition), transition.name.lower())
        return bool(self._call("change_state", "lifecycle_msgs", "ChangeState", told, within_s=within_s).success)

    def wait_until_active(self, *, within_s: float) -> None:
        """RigError if the node is not active in time, with the state that it is in."""
        end = time.monotonic() + within_s
        found: object = "not there"
        while (left_s := end - time.monotonic()) > 0.0:
            try:
                state = self.state(within_s=min(left_s, CALL_S))
            except (InputError, RigError):
                time.sleep(POLL_S)
                continue
            if state is LifecycleState.ACTIVE:
                return
            found = state.name.lower()
            time.sleep(POLL_S)
        raise RigError(f"{self.name} was not active within {within_s:g} s: it is {found}.")


def _python(value: Any) -> Value:
    if value.type >= len(_FIELDS):
        raise RigError(f"A parameter has the unknown type {value.type}.")
    if value.type == _NOT_SET:
        return None
    held = getattr(value, _FIELDS[value.type])
    if value.type == _BYTES:
        return bytes(held)
    return held.tolist() if isinstance(held, np.ndarray) else held  # type: ignore[no-any-return]


def _value(name: str, value: Value) -> Any:
    made = interfaces().message("rcl_interfaces/msg/ParameterValue")
    kind, held = _typed(name, value)
    return made(type=kind, **({_FIELDS[kind]: held} if kind != _NOT_SET else {}))


def _typed(name: str, value: Value) -> tuple[int, Any]:
    """The type of a parameter, and its value as the message holds it."""
    single: tuple[tuple[type, int], ...] = ((bool, _BOOL), (int, _INTEGER), (float, _DOUBLE), (str, _STRING))
    if value is None:
        return _NOT_SET, None
    if isinstance(value, bytes):
        return _BYTES, np.frombuffer(value, np.uint8)
    for python, kind in single:  # bool before int: in Python a bool is one
        if isinstance(value, python):
            return kind, value
    items = list(value) if isinstance(value, Sequence) else []
    for python, kind in single:
        if items and all(type(item) is python for item in items):
            array = {_BOOL: np.bool_, _INTEGER: np.int64, _DOUBLE: np.float64}.get(kind)
            return kind + 5, tuple(items) if array is None else np.array(items, array)
    raise InputError(
        f"The parameter {name!r} cannot be {value!r:.80}; wanted a bool, a number, a text, or a list of one of them."
    )
