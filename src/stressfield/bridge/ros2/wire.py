"""How ROS 2 speaks over zenoh (rmw_zenoh): keys of topics, attachments of samples, and the tokens by which nodes are
found. Nothing here opens a connection."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import StrEnum

from stressfield.bus import Message, Service, type_hash
from stressfield.errors import InputError, MalformedError, NotInstalledError

__all__ = [
    "DOMAIN_MAX",
    "NO_HASH",
    "SPACE",
    "Attachment",
    "Identity",
    "Qos",
    "Role",
    "Ros2Endpoint",
    "dds_type",
    "described",
    "gid_of",
    "key_of",
    "read_token",
    "zenoh",
]

try:
    import xxhash
    import zenoh
    import zenoh.ext
except ImportError as error:
    raise NotInstalledError(
        f"ROS 2 over zenoh needs the packages eclipse-zenoh and xxhash, which cannot be imported ({error}). "
        "Install them with: pip install 'stressfield[ros2]'"
    ) from error

SPACE = "@ros2_lv"
"""Where the liveliness tokens are: whoever watches them sees the whole graph, and who leaves it."""

NO_HASH = "TypeHashNotSupported"
"""What Humble, which has no type hashes, puts in their place."""

DOMAIN_MAX = 232
_EMPTY = "%"
_ATTACHMENT = struct.Struct("<qqB16s")
_PARTS_OF_NODE, _PARTS_OF_ENDPOINT = 9, 13


class Role(StrEnum):
    """What a token stands for."""

    NODE = "NN"
    PUBLISHER = "MP"
    SUBSCRIBER = "MS"
    SERVER = "SS"
    CLIENT = "SC"


@dataclass(frozen=True, slots=True, kw_only=True)
class Qos:
    """Quality of service, as far as it decides who hears whom and what is kept for those who join later."""

    reliable: bool = True
    transient_local: bool = False
    depth: int = 10

    @property
    def text(self) -> str:
        """The last part of a token: what is at its default is left empty."""
        reliability = "" if self.reliable else "2"
        durability = "1" if self.transient_local else ""
        return f"{reliability}:{durability}:,{self.depth}:,:,:,,"

    @classmethod
    def parse(cls, text: str) -> Qos:
        """From the text of a token; MalformedError if it is none."""
        parts = text.split(":")
        depth = parts[2].rpartition(",")[2] if len(parts) == 6 else ""
        if len(parts) != 6 or not (depth.isdecimal() or depth == ""):
            raise MalformedError(f"{text[:60]!r} is no quality of service of a ROS 2 token.")
        return cls(reliable=parts[0] != "2", transient_local=parts[1] == "1", depth=int(depth or 10))


@dataclass(frozen=True, slots=True)
class Ros2Endpoint:
    """What one node offers or wants: a line of ``ros2 node info``. Of a node itself ``name`` is empty."""

    kind: Role
    node: str
    """With its namespace: ``/robot/controller``."""
    name: str = ""
    type_name: str = ""
    """As ROS writes it: ``geometry_msgs/msg/Twist``."""
    hash: str = ""
    qos: Qos = Qos()
    token: str = ""

    @property
    def has_hash(self) -> bool:
        """Whether it says how its type is defined; Humble does not."""
        return self.hash != NO_HASH


@dataclass(frozen=True, slots=True)
class Attachment:
    """What goes with every sample; a subscriber drops one without it."""

    sequence: int
    time_ns: int
    gid: bytes

    def pack(self) -> bytes:
        """Its 33 bytes."""
        return _ATTACHMENT.pack(self.sequence, self.time_ns, len(self.gid), self.gid)

    @classmethod
    def unpack(cls, data: bytes) -> Attachment:
        """From bytes; MalformedError if they are too few or of another shape."""
        if len(data) != _ATTACHMENT.size:
            raise MalformedError(f"An attachment has {len(data)} bytes; wanted {_ATTACHMENT.size}.")
        sequence, time_ns, size, gid = _ATTACHMENT.unpack(data)
        if size != len(gid):
            raise MalformedError(f"An attachment says that its identifier has {size} bytes; wanted {len(gid)}.")
        return cls(sequence, time_ns, gid)


def gid_of(token: str) -> bytes:
    """The identifier of an endpoint, as ROS 2 makes it from its token."""
    return xxhash.xxh3_128(token.encode()).intdigest().to_bytes(16, "little")


def dds_type(name: str) -> str:
    """``geometry_msgs::msg::dds_::Twist_`` for ``geometry_msgs/msg/Twist``."""
    package, kind, short = name.split("/")
    return f"{package}::{kind}::dds_::{short}_"


def ros_type(name: str) -> str:
    """The other way round; MalformedError for what is no such name."""
    parts = name.split("::")
    if len(parts) != 4 or parts[2] != "dds_" or not parts[3].endswith("_"):
        raise MalformedError(f"{name[:100]!r} is not the name of a type in DDS.")
    return f"{parts[0]}/{parts[1]}/{parts[3][:-1]}"


def key_of(domain: int, name: str, type_name: str, hash_text: str) -> str:
    """The key of a topic or a service."""
    return f"{domain}/{name.strip('/')}/{dds_type(type_name)}/{hash_text}"


def described(what: type[Message] | Service) -> tuple[str, str]:
    """Name and hash of a type."""
    return what.name if isinstance(what, Service) else what.ros_type, type_hash(what)


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a node is on the graph: the session it belongs to, its number there, and its name."""

    domain: int
    session: str
    number: int
    namespace: str
    name: str

    def __post_init__(self) -> None:
        if not 0 <= self.domain <= DOMAIN_MAX:
            raise InputError(f"ROS_DOMAIN_ID {self.domain} cannot be. Wanted 0 to {DOMAIN_MAX}.")

    @property
    def token(self) -> str:
        """The token of the node itself."""
        return self._token(self.number, Role.NODE)

    def endpoint_token(self, number: int, kind: Role, name: str, what: tuple[str, str], qos: Qos) -> str:
        """The token of something that the node offers or wants."""
        type_name, hash_text = what
        return f"{self._token(number, kind)}/{mangled(name)}/{dds_type(type_name)}/{hash_text}/{qos.text}"

    def _token(self, number: int, kind: Role) -> str:
        who = f"{_EMPTY}/{mangled(self.namespace)}/{self.name}"
        return f"{SPACE}/{self.domain}/{self.session}/{self.number}/{number}/{kind}/{who}"


def mangled(name: str) -> str:
    """A name as one part of a key: ``/`` becomes ``%``, and nothing is ``%``."""
    return name.replace("/", _EMPTY) or _EMPTY


def read_token(token: str) -> Ros2Endpoint:
    """What a token says; MalformedError if it is none."""
    parts = token.split("/")
    if len(parts) < _PARTS_OF_NODE or parts[0] != SPACE:
        raise MalformedError(f"{token[:120]!r} is no token of a ROS 2 node.")
    try:
        kind = Role(parts[5])
    except ValueError:
        raise MalformedError(f"{token[:120]!r} is of the unknown kind {parts[5]!r}.") from None
    namespace = parts[7].replace(_EMPTY, "/").strip("/")
    node = "/".join(["", *([namespace] if namespace else []), parts[8]])
    if kind is Role.NODE:
        return Ros2Endpoint(kind, node, token=token)
    if len(parts) != _PARTS_OF_ENDPOINT:
        raise MalformedError(f"{token[:120]!r} has {len(parts)} parts; wanted {_PARTS_OF_ENDPOINT}.")
    name = "/" + parts[9].replace(_EMPTY, "/").strip("/")
    return Ros2Endpoint(kind, node, name, ros_type(parts[10]), parts[11], Qos.parse(parts[12]), token)
