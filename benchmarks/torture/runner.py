"""A runner to be killed: begins a campaign of the rig study in a folder, or goes on with the one that is there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from stressfield.campaign import Plan, resume, run_campaign
from stressfield.errors import StressfieldError

RIG = str(Path(__file__).parent / "rig.py")


def main(build: str, folder: str, worlds: str, repeats: str, keep: str, jobs: str, limit_s: str = "120") -> None:
    asked = Plan(study=RIG, build=build, seed=11, worlds=int(worlds), repeats=int(repeats), keep=keep)
    options: dict[str, Any] = {"jobs": int(jobs)} if int(jobs) else {"in_process": True}
    try:
        options["run_timeout_s"] = float(limit_s)
        if (Path(folder) / "campaign.toml").exists():
            resume(folder, export_worlds=False, **options)
        else:
            run_campaign(asked, folder, export_worlds=False, **options)
    except StressfieldError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main(*sys.argv[1:])
