#!/usr/bin/env python
"""Write the pictures of the pages in docs/images again, or look at every page.

``python scripts/screenshots.py`` runs small campaigns of all studies (ten minutes the first time; they are kept in
``build/screenshots``), serves them, and takes the pictures with Chromium. ``--every FOLDER`` puts a picture of each
page there instead, light, dark and as wide as a phone, and prints what axe-core finds wrong with them.
Needs Chromium, Node.js and ``scripts/npm-packages``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from rosbags.rosbag2 import StoragePlugin

HERE = Path(__file__).resolve().parents[1]
IMAGES = HERE / "docs" / "images"
STRESSFIELD = str(Path(sys.executable).with_name("stressfield"))
YARD, WAREHOUSE = str(HERE / "examples" / "yard.py"), str(HERE / "examples" / "warehouse.py")
STUDIES = ("oz", "mana", "tabletop", "hospital", YARD, WAREHOUSE)
CAMPAIGNS = {
    "oz-release": "run oz --worlds 20 --repeats 3 --build release",
    "oz-fixed": "run oz --worlds 20 --repeats 3 --build fixed",
    "mana-faulty": "run mana --worlds 12 --repeats 2 --build faulty",
    "mana-fixed": "run mana --worlds 12 --repeats 2 --build fixed",
    "tabletop": "run tabletop --worlds 12 --repeats 2 --build release",
    "hospital-search": "search hospital firstExperiment --evaluations 24 --population 8",
    "hospital": "run hospital --worlds 4 --repeats 2",
    "yard": f"run {YARD} --worlds 60 --repeats 2",
    "warehouse": f"run {WAREHOUSE} --worlds 12 --repeats 2",
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--every", type=Path, metavar="FOLDER", help="every page in every look, put there")
    options.add_argument("--runs", type=Path, default=HERE / "build" / "screenshots", help="where campaigns are kept")
    given = options.parse_args()
    runs = given.runs.resolve()
    for name, words in CAMPAIGNS.items():
        if not (runs / name / "report.html").is_file():
            command = [STRESSFIELD, *words.split(), "--seed", "7", "--keep", "all", "--out", str(runs / name)]
            done = subprocess.run(command, check=False)  # noqa: S603  our own verbs, words of this file
            if done.returncode > 1:
                raise SystemExit(f"{' '.join(command)} ended with {done.returncode}.")
    out = given.every or runs.with_name(f"{runs.name}-pictures")
    out.mkdir(parents=True, exist_ok=True)
    (out / "known-issues.toml").unlink(missing_ok=True)
    shutil.rmtree(runs / "nightly", ignore_errors=True)  # begun from the page
    with serving(runs, out / "known-issues.toml") as link:
        take(link, runs, out, "every" if given.every else "docs")
    with beside(runs, out) as link:
        take(link, runs, out, "twin")
    if not given.every:
        for picture in sorted(out.glob("*.png")):
            shrink(picture, IMAGES / f"{picture.stem}.webp")


@contextmanager
def serving(runs: Path, known_issues: Path) -> Iterator[str]:
    allowed = [word for study in STUDIES for word in ("--allow", study)]
    words = [STRESSFIELD, "serve", str(runs), "--port", "0", "--jobs", "1", "--known-issues", str(known_issues)]
    wide = {**os.environ, "COLUMNS": "400"}  # so that the link is not broken into two lines
    with subprocess.Popen([*words, *allowed], stdout=subprocess.PIPE, text=True, env=wide) as server:  # noqa: S603
        assert server.stdout is not None
        try:
            yield next(word for line in server.stdout for word in line.split() if word.startswith("http"))
        finally:
            server.terminate()


@contextmanager
def beside(runs: Path, out: Path) -> Iterator[str]:
    """A twin beside a robot that passes a person too near, played as it was."""
    campaign, place = runs / "twin-yard", "[(10.0-6.1)]-0"
    if not campaign.is_dir():
        words = ["run", YARD, "--template", place, "--worlds", "1", "--seed", "7", "--keep", "all"]
        subprocess.run([STRESSFIELD, *words, "--out", str(campaign)], check=False)  # noqa: S603
    shutil.copyfile(next((campaign / "traces").glob("*.mcap")), runs / "ride.mcap")  # the page shows what it is called
    shutil.rmtree(out / "twin", ignore_errors=True)
    words = ["twin", YARD, "--source", "ride.mcap", "--world", place, "--window-s", "0.5", "--learn-s", "12"]
    words += ["--serve", "--port", "0", "--out", str(out / "twin")]
    wide = {**os.environ, "COLUMNS": "400"}
    with subprocess.Popen([STRESSFIELD, *words], stderr=subprocess.PIPE, text=True, env=wide, cwd=runs) as twin:  # noqa: S603
        assert twin.stderr is not None
        try:
            yield next(word for line in twin.stderr for word in line.split() if word.startswith("http"))
        finally:
            twin.terminate()


def take(link: str, runs: Path, out: Path, what: str) -> None:
    sys.path.insert(0, str(HERE))
    from tests.serve.drives import write_rosbag2  # noqa: PLC0415  the folder of the tests is not on the path

    shutil.rmtree(out / "bag", ignore_errors=True)
    recording = write_rosbag2(out / "bag", StoragePlugin.SQLITE3, words="done")
    viewer = out / "viewer.html"
    subprocess.run([STRESSFIELD, "viewer", "--out", str(viewer)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    asked = {
        "web": str(HERE / "web"), "browser": shutil.which("chromium"), "link": link, "out": str(out), "what": what,
        "study": YARD, "viewer": str(viewer), "recording": str(recording),
        "report": str(runs / "oz-release" / "report.html"),
    }  # fmt: skip
    script = Path(__file__).with_suffix(".mjs")
    subprocess.run([str(shutil.which("node")), str(script), json.dumps(asked)], check=True)  # noqa: S603


def shrink(picture: Path, kept: Path) -> None:
    """As WebP: a quarter of the bytes of a PNG."""
    with Image.open(picture) as image:
        image.convert("RGB").save(kept, quality=88, method=6)


if __name__ == "__main__":
    main()
