"""The messages of ``stressfield.proto``, made from its compiled descriptor (``stressfield.binpb``).

A descriptor instead of generated code: it works with any version of the protobuf package. After a change of the
``.proto``: ``python -m grpc_tools.protoc -I . --descriptor_set_out=stressfield.binpb stressfield.proto`` in its folder.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from stressfield.errors import NotInstalledError

JOIN = "/stressfield.v1.Bridge/Join"
SERVICE = "stressfield.v1.Bridge"
PROTO = Path(__file__).with_name("stressfield.proto")
DESCRIPTOR = Path(__file__).with_name("stressfield.binpb")


@cache
def message_class(name: str) -> Any:
    """A message class by its name in the ``.proto``: ``message_class("Publish")``."""
    try:
        from google.protobuf import message_factory  # noqa: PLC0415
    except ImportError as error:
        raise NotInstalledError(
            "gRPC needs the packages grpcio and protobuf: pip install 'stressfield[grpc]'."
        ) from error
    return message_factory.GetMessageClass(_pool().FindMessageTypeByName(f"stressfield.v1.{name}"))


@cache
def _pool() -> Any:
    from google.protobuf import descriptor_pb2, descriptor_pool  # noqa: PLC0415

    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(DESCRIPTOR.read_bytes()).file:
        pool.AddSerializedFile(file.SerializeToString())
    return pool
