"""Parameters and lifecycle of a node on a graph; the node is a stand-in of ours, with the services of ROS."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from stressfield.bridge import LifecycleState, Ros2Graph, Ros2Node, Transition
from stressfield.bridge.ros2.node import interfaces
from stressfield.bus import type_hash
from stressfield.errors import InputError, RigError


@pytest.fixture
def controller() -> Iterator[Ros2Node]:
    """Seen through a graph of its own, beside the node that serves it."""
    with (
        Ros2Graph.routed(domain=7) as graph,
        Ros2Graph.joined(graph.endpoint, domain=7, node="controller") as other,
    ):
        serve(other)
        yield Ros2Node(graph, "/controller")


def serve(graph: Ros2Graph) -> None:
    held: dict[str, Any] = {}
    state = {"id": LifecycleState.UNCONFIGURED}
    value: Any = interfaces().message("rcl_interfaces/msg/ParameterValue")
    held["rate"] = value(type=3, double_value=20.0)
    held["frames"] = value(type=9, string_array_value=("map", "odom"))

    def service(short: str, package: str, name: str, answer: Any) -> None:
        made: Any = interfaces().service(f"{package}/srv/{name}")
        graph.serve(f"/controller/{short}", made, lambda request: made.response(*answer(request)))

    def set_all(request: Any) -> Any:
        result: Any = interfaces().message("rcl_interfaces/msg/SetParametersResult")
        results = []
        for parameter in request.parameters:
            good = parameter.name != "rate" or parameter.value.type == 3
            if good:
                held[parameter.name] = parameter.value
            results.append(result(good, "" if good else "Wrong parameter type, expected double"))
        return (tuple(results),)

    def change(request: Any) -> Any:
        wanted = {Transition.CONFIGURE: LifecycleState.INACTIVE, Transition.ACTIVATE: LifecycleState.ACTIVE}
        if request.transition.id == Transition.ACTIVATE and state["id"] != LifecycleState.INACTIVE:
            return (False,)
        state["id"] = wanted[Transition(request.transition.id)]
        return (True,)

    names: Any = interfaces().message("rcl_interfaces/msg/ListParametersResult")
    said: Any = interfaces().message("lifecycle_msgs/msg/State")
    service(
        "get_parameters",
        "rcl_interfaces",
        "GetParameters",
        lambda asked: (tuple(held[name] for name in asked.names) if set(asked.names) <= held.keys() else (),),
    )
    service("set_parameters", "rcl_interfaces", "SetParameters", set_all)
    service("list_parameters", "rcl_interfaces", "ListParameters", lambda _: (names(tuple(held), ()),))
    service("get_state", "lifecycle_msgs", "GetState", lambda _: (said(int(state["id"]), state["id"].name.lower()),))
    service("change_state", "lifecycle_msgs", "ChangeState", change)


def test_parameters_are_got_and_set(controller: Ros2Node) -> None:
    assert controller.parameters("rate", "frames") == {"rate": 20.0, "frames": ("map", "odom")}
    given = {"on": True, "count": 3, "name": "x", "gains": [0.5, 1.0], "ids": [1, 2], "flags": [True], "raw": b"\x01"}
    controller.set_parameters(given)
    found = controller.parameters(*given)
    assert found == given
    assert controller.parameter_names() == tuple(sorted(["rate", "frames", *given]))
    with pytest.raises(InputError, match=r"/controller has no parameter 'rat'\. Did you mean 'rate'\?"):
        controller.parameters("rat")
    with pytest.raises(InputError, match=r"did not set 'rate' to 'fast': Wrong parameter type, expected double"):
        controller.set_parameters({"rate": "fast"})
    with pytest.raises(InputError, match=r"The parameter 'rate' cannot be \[1, 2\.5\]; wanted"):
        controller.set_parameters({"rate": [1, 2.5]})
    with pytest.raises(InputError, match=r"No node is called /controler .* Did you mean '/controller'\?"):
        Ros2Node(controller._graph, "controler").parameters("rate")


def test_a_node_is_led_through_its_life(controller: Ros2Node) -> None:
    assert controller.state() is LifecycleState.UNCONFIGURED
    assert not controller.change_state(Transition.ACTIVATE)
    with pytest.raises(RigError, match=r"/controller was not active within 0\.3 s: it is unconfigured\."):
        controller.wait_until_active(within_s=0.3)
    assert controller.change_state(Transition.CONFIGURE)
    assert controller.change_state(Transition.ACTIVATE)
    controller.wait_until_active(within_s=5.0)


def test_the_types_of_these_services_are_those_of_ros() -> None:
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_JAZZY)
    for name in ("ParameterValue", "Parameter", "SetParametersResult", "ListParametersResult"):
        full = f"rcl_interfaces/msg/{name}"
        assert type_hash(interfaces().message(full)) == store.hash_rihs01(full)
    for name in ("State", "Transition"):
        full = f"lifecycle_msgs/msg/{name}"
        assert type_hash(interfaces().message(full)) == store.hash_rihs01(full)
