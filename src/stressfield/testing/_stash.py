"""What the pytest plugin keeps in pytest's own objects: the runner of the session, and the run of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from stressfield.testing.sampled_run import SampledRun
    from stressfield.testing.selection import Runner

RUNS = 10
"""Runs of a study if neither the command line nor a mark says how many."""
RUNNER = pytest.StashKey["Runner"]()
RUN = pytest.StashKey["SampledRun"]()
JUDGED = pytest.StashKey[tuple[str, bool]]()
"""The file of a study, and whether the run of this test passed or failed: not so if it is inconclusive."""


def runner_of(config: pytest.Config) -> Runner:
    """What does the runs of this process; made when first needed."""
    if RUNNER not in config.stash:
        from stressfield.testing.selection import Runner  # noqa: PLC0415

        config.stash[RUNNER] = Runner(
            in_process=config.getoption("--stressfield-in-process"),
            run_timeout_s=config.getoption("--stressfield-timeout"),
        )
    return config.stash[RUNNER]


def keep_run(item: pytest.Item, run: SampledRun) -> None:
    """Remember the run for the report of its test, and name it in result files that have room for it."""
    item.stash[RUN] = run
    config = item.config
    if config.getoption("xmlpath", None) and config.getini("junit_family") == "xunit2":
        return  # the schema of this family allows a test case no properties
    for name, value in (("descriptor", run.descriptor), ("run", run.judged.run.id), ("replay", run.replay_command)):
        item.user_properties.append((f"stressfield.{name}", value))
