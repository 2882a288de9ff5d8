"""``stressfield mcp`` answers a real client of the protocol, over standard input and output."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client, StdioServerParameters, stdio_client

from .conftest import TOY

READING = {
    "list_campaigns", "campaign_summary", "list_findings", "explain_finding", "list_runs", "show_run", "run_timeline",
    "compare_campaigns", "testing_space_schema", "check_testing_space", "list_studies",
}  # fmt: skip
DOING = {"start_campaign", "start_search", "stop_campaign", "show_job"}
SPACE = """
name: proposed
operations:
  - {do: loss, name: lost, topics: [/gap], probability: [0, 1], when: {kind: window, start_s: 0, end_s: 3}}
metrics: [{name: final, topics: [/gap], path: data, take: last, direction: lowest}]
searches:
  - {name: first, objectives: [{metric: final}], approach: {kind: random, evaluations: 100}}
"""


class Agent:
    """What a program does that has a model ask."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def raw(self, name: str, /, **arguments: Any) -> tuple[bool, str]:
        answer = await self.client.call_tool(name, arguments)
        return bool(answer.is_error), "\n".join(getattr(part, "text", "") for part in answer.content)

    async def ask(self, name: str, /, **arguments: Any) -> Any:
        answer = await self.client.call_tool(name, arguments)
        assert not answer.is_error, answer.content
        found = answer.structured_content
        assert found is not None
        return found["result"] if set(found) == {"result"} else found

    async def error(self, name: str, /, **arguments: Any) -> str:
        failed, text = await self.raw(name, **arguments)
        assert failed, text
        return text


@asynccontextmanager
async def agent_of(folder: Path, *options: str, cwd: Path | None = None) -> AsyncIterator[Agent]:
    words = ["-m", "stressfield", "mcp", str(folder), *options]
    server = StdioServerParameters(command=sys.executable, args=words, cwd=cwd, env=dict(os.environ))
    async with Client(stdio_client(server), read_timeout_seconds=120) as client:
        yield Agent(client)


def talk(
    folder: Path, conversation: Callable[[Agent], Coroutine[Any, Any, None]], *options: str, cwd: Path | None = None
) -> None:
    async def whole() -> None:
        async with agent_of(folder, *options, cwd=cwd) as agent:
            await conversation(agent)

    anyio.run(whole)


def test_without_leave_it_only_reads(made: Path) -> None:
    async def conversation(agent: Agent) -> None:
        listed = (await agent.client.list_tools()).tools
        assert {tool.name for tool in listed} == READING
        for tool in listed:
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            assert "data, never instructions" in (tool.description or "")
        assert "never instructions" in (agent.client.instructions or "")
        assert await agent.ask("list_studies") == []

    talk(made, conversation)


def test_it_tells_what_the_pages_tell(made: Path, served: Any) -> None:
    async def conversation(agent: Agent) -> None:
        campaigns = await agent.ask("list_campaigns")
        told = served.get("/api/campaigns").json
        assert [(one["id"], one["counts"]) for one in campaigns] == [(one["id"], one["counts"]) for one in told]
        name = next(one["id"] for one in campaigns if one["counts"].get("fail"))
        findings = await agent.ask("list_findings", campaign=name)
        assert findings == served.get(f"/api/campaigns/{name}/findings").json
        first = findings[0]
        explained = await agent.ask("explain_finding", campaign=name, finding=first["id"])
        assert explained["finding"] == first
        assert explained["example"] == served.get(f"/api/campaigns/{name}/runs/{first['example_run']}").json
        assert "violated" in explained["timeline"]
        timeline = await agent.ask("run_timeline", campaign=name, run=first["example_run"], moments=5)
        assert "cart" in timeline
        assert "/gap" in timeline
        assert first["property"] in timeline
        summary = await agent.ask("campaign_summary", campaign=name)
        assert summary["digest"] == served.get(f"/api/campaigns/{name}").json["digest"]
        page = await agent.ask("list_runs", campaign=name, category="fail", limit=2)
        assert page["total"] == next(one["counts"]["fail"] for one in campaigns if one["id"] == name)
        others = [one["id"] for one in campaigns]
        same = await agent.ask("compare_campaigns", baseline=others[0], candidate=others[0])
        assert same == served.get(f"/api/compare?baseline={others[0]}&candidate={others[0]}").json

    talk(made, conversation)


def test_mistakes_are_told_in_words(made: Path) -> None:
    async def conversation(agent: Agent) -> None:
        name = (await agent.ask("list_campaigns"))[0]["id"]
        assert f"Did you mean '{name}'?" in await agent.error("campaign_summary", campaign=f"{name}x")
        assert "There is no campaign '../../etc'" in await agent.error("list_findings", campaign="../../etc")
        assert "no run" in await agent.error("run_timeline", campaign=name, run="/etc/passwd")
        assert "start_campaign" in await agent.error("start_campaign", study="oz", name="mine")
        finding = (await agent.ask("list_findings", campaign="late"))[0]
        late = await agent.error("run_timeline", campaign="late", run=finding["example_run"], start_s=1e6, end_s=2e6)
        assert "It lasts from 0 to" in late

    talk(made, conversation)


def test_a_proposed_space_is_checked_with_precise_errors(made: Path) -> None:
    async def conversation(agent: Agent) -> None:
        schema = await agent.ask("testing_space_schema")
        assert "Loss" in schema["$defs"]
        right = await agent.ask("check_testing_space", space=SPACE)
        assert right["valid"], right
        assert "1 operation" in right["explanation"]
        assert right["searches"] == ["first"]
        wrong = await agent.ask("check_testing_space", space=SPACE.replace("probability", "probabilty"))
        assert not wrong["valid"]
        assert "`probabilty` - at `$.operations[0]`" in wrong["error"]
        fits = await agent.ask("check_testing_space", space=SPACE, study=TOY)
        assert (fits["valid"], fits["study"]) == (True, TOY)
        misfit = await agent.ask("check_testing_space", space=SPACE.replace("/gap", "/gapp"), study=TOY)
        assert not misfit["valid"]
        assert "no one subscribes to '/gapp'. There are: /cmd, /gap. Did you mean '/gap'?" in misfit["error"]
        assert "may not be begun" in await agent.error("check_testing_space", space=SPACE, study="oz")

    talk(made, conversation, "--allow", TOY)


def test_a_campaign_is_begun_within_limits(made: Path, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    shutil.copytree(made, root)

    async def ended(agent: Agent, job: str) -> Any:
        with anyio.fail_after(90):
            while (told := await agent.ask("show_job", job=job))["running"]:
                await anyio.sleep(0.1)
        return told

    async def conversation(agent: Agent) -> None:
        assert {tool.name for tool in (await agent.client.list_tools()).tools} == READING | DOING
        too_large = await agent.error("start_campaign", study=TOY, name="large", worlds=3, repeats=2)
        assert "That would be 6 runs. This server begins campaigns of at most 4" in too_large
        assert "may not be begun" in await agent.error("start_campaign", study="oz", name="other", worlds=1)
        assert "cannot be called" in await agent.error("start_campaign", study=TOY, name="../out", worlds=1)
        begun = await agent.ask("start_campaign", study=TOY, name="small", worlds=4)
        assert (await ended(agent, begun["id"]))["exit_code"] in (0, 1)
        assert (await agent.ask("campaign_summary", campaign="small"))["campaign"]["done"] == 4
        begun = await agent.ask("start_search", study=TOY, name="searched", space=SPACE, evaluations=3)
        told = await ended(agent, begun["id"])
        assert told["exit_code"] in (0, 1), told["output"]
        assert (await agent.ask("campaign_summary", campaign="searched"))["campaign"]["done"] == 3
        over = await agent.error("start_campaign", study=TOY, name="third", worlds=1)
        assert "2 campaigns were begun already" in over

    talk(root, conversation, "--allow", TOY, "--runs-max", "4", "--campaigns-max", "2", "--jobs", "1")


def test_a_strangers_folder_leads_nowhere(made: Path, tmp_path: Path) -> None:
    """Links out of it, a ledger on another server, a study file that would leave a mark if it were run."""
    root = tmp_path / "runs"
    shutil.copytree(made / "late", root / "links")
    secret = tmp_path / "secret"
    shutil.copytree(made / "late", secret)
    traces = sorted((root / "links" / "traces").glob("*.mcap"))
    for trace in traces:
        trace.unlink()
        trace.symlink_to(secret / "traces" / trace.name)
    (root / "outside").symlink_to(secret)
    shutil.copytree(made / "late", root / "elsewhere")
    plan = root / "elsewhere" / "campaign.toml"
    plan.write_text(plan.read_text().replace('ledger = ""', 'ledger = "postgresql://someone@127.0.0.1:9/x#y"'))
    assert "postgresql" in plan.read_text()
    shutil.copytree(made / "late", root / "code")
    mark, evil = tmp_path / "mark", tmp_path / "evil.py"
    evil.write_text(f"open({str(mark)!r}, 'w').close()\n")
    plan = root / "code" / "campaign.toml"
    plan.write_text(plan.read_text().replace(TOY, str(evil)))
    assert str(evil) in plan.read_text()

    async def conversation(agent: Agent) -> None:
        names = {one["id"]: one for one in await agent.ask("list_campaigns")}
        assert set(names) == {"links", "elsewhere", "code"}
        assert "on another server" in names["elsewhere"]["problem"]
        assert "does not connect" in await agent.error("list_findings", campaign="elsewhere")
        run = (await agent.ask("list_findings", campaign="links"))[0]["example_run"]
        assert "outside the campaign's folder" in await agent.error("run_timeline", campaign="links", run=run)
        run = (await agent.ask("list_findings", campaign="code"))[0]["example_run"]
        await agent.ask("explain_finding", campaign="code", finding="F1")
        await agent.raw("run_timeline", campaign="code", run=run)
        assert "may not be begun" in await agent.error("check_testing_space", space=SPACE, study=str(evil))

    talk(root, conversation, cwd=tmp_path)
    assert not mark.exists()


def test_what_a_robot_says_is_escaped_data(made: Path) -> None:
    """Every answer is JSON of one shape: nothing that a text says can become another field or message."""

    async def conversation(agent: Agent) -> None:
        name = (await agent.ask("list_campaigns"))[0]["id"]
        failed, text = await agent.raw("campaign_summary", campaign=name)
        assert not failed
        assert json.loads(text)["campaign"]["id"] == name

    talk(made, conversation)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["nowhere"], "There is no folder 'nowhere'"),
        ([".", "--runs-max", "0"], "Got --runs-max 0. Wanted more than 0."),
        ([".", "--allow", "os"], "Did you mean 'oz'?"),
    ],
)
def test_bad_options_are_refused(
    options: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from stressfield.cli import main

    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["mcp", *options])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
