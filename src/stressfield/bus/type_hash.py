"""Type hashes of ROS 2 (RIHS01): by them, nodes notice that they mean different things by the same name.

The hash is that of a description of the type and of all it is made of, written as JSON in one exact way.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any

from stressfield.bus.interface import NO_MEMBER, Service, message_from_text
from stressfield.bus.message import Field, Message, fields_of

PREFIX = "RIHS01_"

NESTED, BOUNDED_STRING = 1, 21
ARRAY, BOUNDED_SEQUENCE, SEQUENCE = 48, 96, 144
"""Added to the number of a type for many of it."""

TYPE_IDS = {
    "int8": 2, "uint8": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "uint64": 9,
    "float32": 10, "float64": 11, "char": 3, "bool": 15, "byte": 16, "string": 17,
}  # fmt: skip
"""Numbers of type_description_interfaces/msg/FieldType. A ``char`` of ROS 2 is an uint8, and is hashed as one."""

_EVENT_INFO = """\
uint8 REQUEST_SENT = 0
uint8 REQUEST_RECEIVED = 1
uint8 RESPONSE_SENT = 2
uint8 RESPONSE_RECEIVED = 3
uint8 event_type
builtin_interfaces/Time stamp
char[16] client_gid
int64 sequence_number
"""


def type_hash(described: type[Message] | Service) -> str:
    """The hash of a message type or of a service: ``RIHS01_`` and 64 hex digits."""
    own, others = _service(described) if isinstance(described, Service) else _message(described)
    text = json.dumps(
        {"type_description": own, "referenced_type_descriptions": [others[name] for name in sorted(others)]},
        separators=(", ", ": "),
    )
    return PREFIX + hashlib.sha256(text.encode()).hexdigest()


def _message(message_type: type[Message]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The description of a message type, and by name those of all types it is made of."""
    others: dict[str, dict[str, Any]] = {}
    fields = []
    for field in fields_of(message_type) or (Field(NO_MEMBER, "uint8", None, None),):
        fields.append(_field(field))
        if field.nested is not None:
            own, inner = _message(field.nested)
            others |= {field.nested.ros_type: own, **inner}
    return {"type_name": message_type.ros_type, "fields": fields}, others


def _field(field: Field) -> dict[str, Any]:
    number = NESTED if field.nested is not None else TYPE_IDS[field.base]
    if field.longest is not None:
        number = BOUNDED_STRING
    name = "" if field.nested is None else field.nested.ros_type
    return _described(field.name, number + _many(field), field.size or field.most or 0, field.longest or 0, name)


def _many(field: Field) -> int:
    if field.size is None:
        return 0
    if field.size:
        return ARRAY
    return SEQUENCE if field.most is None else BOUNDED_SEQUENCE


def _described(name: str, number: int, capacity: int, string_capacity: int, nested: str) -> dict[str, Any]:
    kind = {
        "type_id": number, "capacity": capacity, "string_capacity": string_capacity, "nested_type_name": nested
    }  # fmt: skip
    return {"name": name, "type": kind}


def _service(service: Service) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """A service is a type of three members; its event, for introspection, holds at most one request and response."""
    info = _event_info()
    event = f"{service.name}_Event"
    members = [
        _described("info", NESTED, 0, 0, info.ros_type),
        _described("request", NESTED + BOUNDED_SEQUENCE, 1, 0, service.request.ros_type),
        _described("response", NESTED + BOUNDED_SEQUENCE, 1, 0, service.response.ros_type),
    ]
    others = {event: {"type_name": event, "fields": members}}
    for part in (service.request, service.response, info):
        own, inner = _message(part)
        others |= {part.ros_type: own, **inner}
    fields = [
        _described("request_message", NESTED, 0, 0, service.request.ros_type),
        _described("response_message", NESTED, 0, 0, service.response.ros_type),
        _described("event_message", NESTED, 0, 0, event),
    ]
    return {"type_name": service.name, "fields": fields}, others


@cache
def _event_info() -> type[Message]:
    return message_from_text("service_msgs/msg/ServiceEventInfo", _EVENT_INFO)
