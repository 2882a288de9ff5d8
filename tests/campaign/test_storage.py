"""Campaigns whose traces are in a store: the same results, from a real server that speaks S3."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from stressfield._files import store
from stressfield.analysis import summarise
from stressfield.campaign import (
    Plan,
    digest,
    find_study,
    load,
    merge_shards,
    plan_campaign,
    prepare,
    replay,
    resume,
    run_campaign,
    run_shard,
    verify,
    write_shards,
)
from stressfield.cli import main
from stressfield.errors import InputError, StoreError
from stressfield.report import write_report

TOY = str(Path(__file__).parent / "toy.py")
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1"}


def plan(**changes: object) -> Plan:
    return replace(Plan(study=TOY, build="late", seed=7, worlds=6, repeats=2, keep="all"), **changes)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """A server of moto's on loopback, with one bucket."""
    from moto.server import ThreadedMotoServer

    made = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    made.start()
    host, port = made.get_host_and_port()
    address = f"http://{host}:{port}"
    before = dict(os.environ)
    os.environ.update({**KEYS, "AWS_ENDPOINT_URL": address, "AWS_MAX_ATTEMPTS": "1"})
    import boto3

    boto3.client("s3", endpoint_url=address).create_bucket(Bucket="campaigns")
    yield address
    made.stop()
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def wanted(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest(run_campaign(plan(), tmp_path_factory.mktemp("here") / "toy", in_process=True).results)


def test_traces_and_report_are_in_the_bucket(server: str, tmp_path: Path, wanted: str) -> None:
    asked = plan(storage="s3://campaigns/workers")
    done = run_campaign(asked, tmp_path / "toy", jobs=1)
    assert digest(done.results) == wanted
    assert list((tmp_path / "toy" / "traces").iterdir()) == []
    assert len(store.names("s3://campaigns/workers/traces")) == 12
    write_report(summarise(done.results, find_study(TOY)), find_study(TOY))
    assert b"<html" in (store.get("s3://campaigns/workers/report.html") or b"")
    found = verify(tmp_path / "toy", judge=True)
    assert (found.traces, found.judged_again, found.problems) == (12, 12, ())
    name = done.results.runs[0].run.id
    assert replay(done.results, done.results.runs[0], in_process=True).differences == ()
    assert len(store.names("s3://campaigns/workers/traces")) == 12
    with pytest.raises(InputError, match=r"The store 's3://campaigns/workers' is not empty: traces in it: 12, such as"):
        run_campaign(asked, tmp_path / "second", jobs=1)
    # what is changed in the store is seen, whatever was fetched before
    store.put(f"s3://campaigns/workers/traces/{name}.mcap", b"other")
    (tmp_path / "toy" / "fetched" / f"{name}.mcap").unlink()
    assert [problem.run_id for problem in verify(tmp_path / "toy").problems] == [name]


def test_shards_share_a_bucket(server: str, tmp_path: Path, wanted: str) -> None:
    plan_campaign(prepare(plan(storage="s3://campaigns/shards")), tmp_path / "toy")
    for piece in write_shards(tmp_path / "toy", into=2):
        run_shard(piece, in_process=True)
    assert digest(merge_shards(tmp_path / "toy").results) == wanted
    assert verify(tmp_path / "toy").problems == ()
    assert list((tmp_path / "toy" / "traces").iterdir()) == []
    with pytest.raises(InputError, match="is not empty"):
        plan_campaign(prepare(plan(storage="s3://campaigns/shards")), tmp_path / "second")


def test_a_store_that_fails_in_the_middle_loses_nothing(
    server: str, tmp_path: Path, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put, times = store.put, iter(range(100))

    def failing(url: str, data: bytes) -> None:
        if next(times) == 7:
            raise StoreError("Cannot write: the store is full.")
        put(url, data)

    monkeypatch.setattr(store, "put", failing)
    with pytest.raises(StoreError, match="the store is full"):
        run_campaign(plan(storage="s3://campaigns/broken"), tmp_path / "toy", in_process=True)
    assert 0 < len(load(tmp_path / "toy").runs) < 12
    assert digest(resume(tmp_path / "toy", in_process=True).results) == wanted


def test_a_store_that_cannot_be_used_is_told(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from s3fs import S3FileSystem

    def call(url: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as caught:
            main(["run", TOY, "--build", "late", "--worlds", "1", "--storage", url, "--out", str(tmp_path / "toy")])
        return int(caught.value.code or 0), capsys.readouterr().err

    code, said = call("s3://nobody/x")
    assert (code, "'s3://nobody/x" in said, "Check that the bucket exists" in said) == (3, True, True)
    code, said = call("memory://x")
    assert (code, "is of one process alone" in said) == (2, True)
    assert not (tmp_path / "toy").exists()
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    S3FileSystem.clear_instance_cache()  # it remembers where it went before
    code, said = call("s3://elsewhere/x")
    assert (code, "Check that the store can be reached, then resume." in said) == (3, True)
    for name in KEYS:
        monkeypatch.delenv(name)
    S3FileSystem.clear_instance_cache()
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    code, said = call("s3://noone/x")
    assert (code, "Check the credentials" in said) == (3, True)


def test_a_folder_on_another_disk(tmp_path: Path, wanted: str) -> None:
    asked = plan(storage=f"file://{tmp_path}/shelf")
    assert digest(run_campaign(asked, tmp_path / "toy", jobs=1).results) == wanted
    assert verify(tmp_path / "toy").problems == ()
    assert len(list((tmp_path / "shelf" / "traces").iterdir())) == 12
