"""Many runs again: do they all come out as they were stored?"""

from __future__ import annotations

from stressfield.campaign import Results, replay_all, searched
from stressfield.cli.echo import echo
from stressfield.cli.progress import step_progress
from stressfield.errors import InputError
from stressfield.run import JudgedRun

FRONT, ALL = "front", "all"
MANY = (FRONT, ALL)
SAME, DIFFERENT = 0, 3
MOST_SHOWN = 10


def replay_many(results: Results, which: str, *, jobs: int | None) -> int:
    """Do them again and say which differ; the exit code."""
    runs = _front(results) if which == FRONT else results.runs
    if not runs:
        raise InputError(f"The campaign {results.folder!r} has no runs yet.")
    differing, identical, compared = [], 0, 0
    with step_progress("replay") as progress:
        for done, replayed in enumerate(replay_all(results, runs, jobs=jobs), start=1):
            compared += replayed.bytes_compared is not None
            if replayed.identical:
                identical += 1
            else:
                differing.append(replayed)
            progress(done, len(runs))
    for one in differing[:MOST_SHOWN]:
        echo(f" run {one.again.run.id} differs: {'; '.join(one.differences)}")
    if len(differing) > MOST_SHOWN:
        echo(f" and {len(differing) - MOST_SHOWN} more")
    what = f"{len(runs)} run{'s' * (len(runs) != 1)}" + (" on the front" if which == FRONT else "")
    how = f"digests, verdicts and metrics compared, and the bytes of {compared} recordings"
    echo(f" {what} done again, {identical} identical, bit for bit ({how}).")
    return SAME if identical == len(runs) else DIFFERENT


def _front(results: Results) -> list[JudgedRun]:
    found = searched(results)
    if found is None:
        raise InputError(
            f"The campaign {results.folder!r} is no search, so it has no front. Wanted a run, a finding (F1), or 'all'."
        )
    tests = {one.test.scenario_id for one in found.front}
    return [judged for judged in results.runs if judged.run.scenario_id in tests]
