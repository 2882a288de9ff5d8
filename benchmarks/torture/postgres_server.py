"""A PostgreSQL server of our own, on loopback, run by a user without rights, in a folder that goes with it."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

NOBODY = 65534
PASSWORD = "sesame"


def binaries() -> Path | None:
    """The newest server that is installed."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


@contextmanager
def postgres_server() -> Iterator[str]:
    """Its URL, with the database ``campaigns``. Its user is ``tester``, whose password is in PGPASSWORD meanwhile."""
    home = binaries()
    assert home is not None, "Install Debian's package postgresql."
    root = os.geteuid() == 0  # as which PostgreSQL refuses to run
    folder = Path(tempfile.mkdtemp(prefix="stressfield-postgres-", dir="/tmp"))
    secret = folder / "password"
    secret.write_text(PASSWORD)
    if root:
        for path in (folder, secret):
            os.chown(path, NOBODY, NOBODY)
    user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if root else {}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = str(folder / "data")
    initdb = [str(home / "initdb"), "-D", data, "-U", "tester", "--auth=scram-sha-256", f"--pwfile={secret}"]
    subprocess.run([*initdb, "--encoding=UTF8", "--no-sync", "--locale=C"], check=True, **user, **quiet)
    options = ["-c", "listen_addresses=127.0.0.1", "-c", f"unix_socket_directories={folder}", "-c", "fsync=off"]
    command = [str(home / "postgres"), "-D", data, "-p", str(port), *options, "-c", "shared_buffers=16MB"]
    server = subprocess.Popen(command, **user, **quiet)
    before = os.environ.get("PGPASSWORD")
    os.environ["PGPASSWORD"] = PASSWORD
    url = f"postgresql://tester@127.0.0.1:{port}"
    try:
        _when_ready(f"{url}/postgres", server)
        yield f"{url}/campaigns"
    finally:
        server.terminate()
        server.wait(20.0)
        shutil.rmtree(folder, ignore_errors=True)
        os.environ.pop("PGPASSWORD")
        if before is not None:
            os.environ["PGPASSWORD"] = before


def _when_ready(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert server.poll() is None, "the server ended"
        try:
            with psycopg.connect(url, autocommit=True, connect_timeout=5) as connection:
                connection.execute("CREATE DATABASE campaigns")
                return
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")
