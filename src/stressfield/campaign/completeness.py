"""Whether anything of a campaign is missing: if not, it can be looked at whatever has changed since."""

from __future__ import annotations

from collections import Counter

from stressfield.campaign.front import searched
from stressfield.campaign.records import Results
from stressfield.run import Status
from stressfield.trace import Keep


def nothing_missing(results: Results) -> bool:
    """Whether all runs of the plan are there and none is ``invalid``, and of a search the recordings of its front.

    A search that ended before it had made all its tests counts as missing them.
    """
    plan = results.plan
    settled = Counter(one.run.scenario_id for one in results.runs if one.run.status is not Status.INVALID)
    if plan.fuzzing is None:
        wanted = [one.id for one in results.scenarios]
    else:
        wanted = [one.scenario_id for one in results.tests]
    if len(wanted) < plan.worlds or any(settled[name] < plan.repeats for name in wanted):
        return False
    if plan.fuzzing is None or plan.keep != Keep.FRONT:
        return True
    found = searched(results)
    front = set() if found is None else {one.test.scenario_id for one in found.front}
    return all(
        one.run.trace_file is not None for one in results.runs if one.run.scenario_id in front and one.run.status.judged
    )
