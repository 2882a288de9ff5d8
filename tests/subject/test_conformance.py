"""Subjects in other processes keep the promises of every subject."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable

import pytest

from stressfield.run import Status
from stressfield.subject import BridgedSubject, Pacing, Subject
from stressfield.testing import SubjectSuite

from .runs import TOY, run, toy


class TestProcessSubject(SubjectSuite):
    @pytest.fixture
    def make_subject(self) -> Callable[[], Subject]:
        return lambda: toy("good", at_s=1e9)


def client(port: int) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "STRESSFIELD_URL": f"ws://127.0.0.1:{port}/"}
    retry = f"import runpy, sys, time; sys.argv = [{str(TOY)!r}, 'good', '1e9']\nwhile True:\n"
    retry += " try: runpy.run_path(sys.argv[0], run_name='__main__'); break\n except OSError: time.sleep(0.05)"
    return subprocess.Popen([sys.executable, "-c", retry], env=environment, stderr=subprocess.DEVNULL)


def test_a_client_that_somebody_else_started_joins_and_is_let_go() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    digests = []
    for _ in range(2):
        process = client(port)
        try:
            done = run(BridgedSubject(port=port, pacing=Pacing(ready_timeout_s=15.0)))
            assert done.status is Status.TIMEOUT, done.trouble
            digests.append(done.trace.digest())
            process.wait(timeout=10.0)
        finally:
            process.kill()
            process.wait()
    assert digests[0] == digests[1] == run(toy("good", at_s=1e9)).trace.digest()


def test_a_port_in_use_makes_the_run_invalid() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for bridge in ("rosbridge", "grpc"):
            done = run(BridgedSubject(bridge=bridge, port=port))
            assert done.status is Status.INVALID
            assert done.trouble.startswith(f"Port {port} of 127.0.0.1 is in use. Stop what listens there")
