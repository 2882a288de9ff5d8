"""``stressfield mcp``: campaigns as tools of an agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield.cli.options import Jobs
from stressfield.errors import InputError, NotInstalledError

try:
    from stressfield.serve.agent_tools import AgentLimits, make_agent_server
except ImportError as error:
    if (error.name or "").partition(".")[0] not in {"mcp", "mcp_types", "pydantic"}:
        raise
    raise NotInstalledError(
        f"'stressfield mcp' needs the package {error.name}. Install it with: pip install 'stressfield[mcp]'"
    ) from error
from stressfield.serve.parts import Parts


def mcp(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Campaigns in it and below are told.")] = Path(
        "runs"
    ),
    allow: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STUDY",
            help="A study that the agent may begin: its name or .py file. Without it, the agent only reads.",
            show_default=False,
        ),
    ] = None,
    runs_max: Annotated[int, typer.Option(help="Runs of a campaign that the agent begins, at most.")] = 50,
    campaigns_max: Annotated[int, typer.Option(help="Campaigns that it begins, at most.")] = 10,
    minutes_max: Annotated[float, typer.Option(help="Minutes after which a campaign of it is stopped.")] = 10.0,
    at_once: Annotated[int, typer.Option(help="How many of these may run at a time.")] = 1,
    jobs: Jobs = None,
) -> None:
    """Offer the campaigns below a folder to an agent as tools, by the Model Context Protocol.

    It speaks on standard input and output, to whoever started it. The agent can list campaigns, have findings
    explained, read a run's timeline and check testing spaces; it begins only what is allowed here.
    """
    if at_once < 1:
        raise InputError(f"Got --at-once {at_once}. Wanted at least 1.")
    limits = AgentLimits(runs_max=runs_max, campaigns_max=campaigns_max, minutes_max=minutes_max)
    parts = Parts.of(folder, studies=allow or (), at_once=at_once, workers=jobs)
    make_agent_server(parts, limits).run("stdio")
