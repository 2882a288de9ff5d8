"""The same over gRPC: the published protocol, and how runs end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from stressfield.bridge.grpc_server import DESCRIPTOR, PROTO
from stressfield.run import Status
from stressfield.subject import Pacing, ProcessSubject

from .runs import run

ROBOT = Path(__file__).with_name("grpc_robot.py")


def toy(behaviour: str, *, pacing: Pacing | None = None) -> ProcessSubject:
    pacing = pacing or Pacing(silence_s=1.0, quiet_s=0.2)
    return ProcessSubject([sys.executable, ROBOT, behaviour], bridge="grpc", pacing=pacing, grace_s=0.5)


def test_the_descriptor_is_that_of_the_proto(tmp_path: Path) -> None:
    from google.protobuf.descriptor_pb2 import FileDescriptorSet

    made = tmp_path / "made.binpb"
    command = [
        sys.executable,
        "-m",
        "grpc_tools.protoc",
        f"-I{PROTO.parent}",
        f"--descriptor_set_out={made}",
        PROTO.name,
    ]
    subprocess.run(command, check=True)
    assert FileDescriptorSet.FromString(made.read_bytes()) == FileDescriptorSet.FromString(DESCRIPTOR.read_bytes())


def test_it_drives_and_repeats_bit_for_bit_in_either_encoding() -> None:
    first, second, third = run(toy("json")), run(toy("json")), run(toy("cdr"))
    assert (first.status, first.trouble) == (Status.TIMEOUT, "")
    assert first.trace.truth("mower").values[-1, 0] > 1.5
    assert first.trace.digest() == second.trace.digest() == third.trace.digest()


ENDINGS = [
    ("exits", Status.SUBJECT_CRASH, "The subject ended before the run did (exit code 3)."),
    ("malformed", Status.SUBJECT_CRASH, "The subject sent a malformed message on /cmd_vel: linear.x is 'fast'; wanted"),
    ("bad cdr", Status.SUBJECT_CRASH, "The subject sent a malformed message on /cmd_vel: Payload is not a"),
    ("nothing", Status.SUBJECT_CRASH, "The subject sent a malformed message: A message says nothing that is known"),
    (
        "corrupt",
        Status.SUBJECT_CRASH,
        "The subject sent a malformed message: 3 bytes are not a message of the protocol",
    ),
    ("browser", Status.SUBJECT_CRASH, "The subject ended before the run did (exit code 1). Its last output:"),
    ("wrong token", Status.SUBJECT_CRASH, "The subject ended before the run did (exit code 1). Its last output:"),
    ("freezes", Status.INVALID, "The subject fell silent at 0.3"),
    ("closes", Status.INVALID, "The connection to the subject was lost: "),
]


@pytest.mark.parametrize(("behaviour", "status", "told"), ENDINGS)
def test_how_it_ends(behaviour: str, status: Status, told: str) -> None:
    done = run(toy(behaviour))
    assert done.status is status, done.trouble
    assert done.trouble.startswith(told), done.trouble


def test_a_flood_is_a_subject_crash() -> None:
    """However busy the machine is: time waits long for an acknowledgement."""
    done = run(toy("floods", pacing=Pacing(silence_s=60.0, quiet_s=0.2)))
    assert done.status is Status.SUBJECT_CRASH, done.trouble
    assert done.trouble.startswith("The subject floods the bridge: 5001"), done.trouble


def test_in_wall_time_ticks_are_signs_of_life() -> None:
    assert run(toy("paced"), limit_s=1.5).status is Status.TIMEOUT
    done = run(toy("paced freezes"), limit_s=20.0)
    assert done.status is Status.INVALID
    assert done.trouble.startswith("The subject has given no sign of life for 1 s")
