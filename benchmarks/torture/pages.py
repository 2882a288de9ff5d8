"""Scripts in every string that reaches a report or a page of the server, opened in a real browser: none may run."""

from __future__ import annotations

import base64
import json
import re
import shutil
import struct
import subprocess
import sys
import threading
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from campaigns import HERE
from mcap.writer import Writer
from payloads import MARK, payloads, text
from row import Figure, Size

from stressfield.analysis import KnownIssue, decide, summarise
from stressfield.campaign import Plan, find_study, run_campaign
from stressfield.campaign.results import Results
from stressfield.report import replay_html, write_report
from stressfield.report.html import viewer_html
from stressfield.serve.app import CampaignServer, bind, make_app
from stressfield.study import Study
from stressfield.trace import read_trace

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
POISON = str(HERE / "poison.py")
CLICKS = """<script>
for (const one of document.querySelectorAll('button, summary, a, tr, select, input, canvas, [tabindex]')) {
  if (!/^https?:/.test(one.href || '')) { one.click(); one.dispatchEvent(new Event('change')); }
}
</script>"""


def scripted(size: Size) -> Figure:
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        return Figure(False, "not tried: no Chromium found", "reports in a browser (no Chromium found)")
    every = payloads()
    sys.path.insert(0, str(HERE))
    study = find_study(POISON)
    asked = Plan(study=POISON, build=study.builds[0].name, seed=2, worlds=size.pick(3, 20), repeats=4, keep="all")
    results = run_campaign(
        asked, size.folder / "poison<img src=x onerror=1>", in_process=True, export_worlds=False
    ).results
    page = write_report(summarise(results, study), study, out=size.folder / "report.html", failing_runs_max=60)
    html = page.read_text(encoding="utf-8")
    reached = sum(_reaches(one, html) for one in every)
    bare = _without_policy(page)
    control = size.folder / "control.html"
    control.write_text(f"<p>{every[9]}</p>", encoding="utf-8")
    run = re.search(r'id="run-([^"]+)"', html)
    addresses = [f"file://{page}", f"file://{bare}", *([f"file://{bare}#run={run[1]}"] if run else [])]
    addresses = addresses[-2:] if size.quick else addresses
    addresses.append(f"file://{_without_policy(_replay_page(results, study, size.folder))}")
    addresses.append(f"file://{_dropped(every, size.folder)}")
    ran = sum(_ran(browser, address, size.folder / "profile") for address in addresses)
    works = _ran(browser, f"file://{control}", size.folder / "profile") and "Content-Security-Policy" in html
    told = (
        f"{reached} of {len(every)} payloads are in the page; opened with and without its policy, everything clicked, "
        f"and dropped on the viewer as a recording: {ran} executed"
    )
    return Figure(ran == 0 and works and reached == len(every), told if works else f"{told}; the control did not run")


def served(size: Size) -> Figure:
    """All pages of the server, everything on them clicked. Needs Node.js and the packages of web/."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    node, web = shutil.which("node"), HERE.parents[1] / "web"
    if browser is None or node is None or not (web / "node_modules").is_dir():
        return Figure(False, "not tried: no Chromium, no Node.js or no packages", "pages of the server in a browser")
    sys.path.insert(0, str(HERE))
    study, root = find_study(POISON), size.folder / "served"
    for name in ("one", "two<img src=x onerror=1>"):
        asked = Plan(study=POISON, build=study.builds[0].name, seed=2, worlds=size.pick(3, 20), repeats=4, keep="all")
        results = run_campaign(asked, root / name, in_process=True, export_worlds=False).results
    issues = [
        KnownIssue(
            study=found.study, property=one.property, subcase=one.subcase, reason=text(17), expires=date(2999, 1, 1)
        )
        for found in [summarise(results)]
        for one in found.findings
    ]
    for issue in issues[:20]:
        decide(size.folder / "known.toml", issue, study=issue.study, property=issue.property, subcase=issue.subcase)
    with bind(0) as listening:
        app = make_app(root, port=listening.getsockname()[1], known_issues=size.folder / "known.toml")
        server = CampaignServer(app)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            words = [node, str(HERE / "clicks.mjs"), str(web), app.link, browser, MARK, payloads()[9]]
            done = subprocess.run(words, capture_output=True, text=True, timeout=900, check=False)
        finally:
            server.should_exit = True
            thread.join()
    if done.returncode != 0:
        raise AssertionError(done.stderr[-2000:])
    told = json.loads(done.stdout)
    shown = (
        f"{told['pages']} pages, {told['clicks']} clicks, {told['reached']} texts with payloads shown: {told['ran']} "
        f"executed, {len(told['errors'])} errors of a page{'' if told['control'] else '; the control did not run'}"
    )
    good = told["control"] and told["reached"] > 0 and not told["ran"] and not told["errors"]
    return Figure(good, shown + (f": {told['errors'][0]}" if told["errors"] else ""))


def _without_policy(page: Path) -> Path:
    """A copy in which escaping alone must help, and in which everything is clicked."""
    html = page.read_text(encoding="utf-8")
    bare = page.with_name(f"bare-{page.name}")
    bare.write_text(re.sub(r"<meta http-equiv=\"Content-Security-Policy\"[^>]*>", "", html) + CLICKS, encoding="utf-8")
    return bare


def _dropped(every: Sequence[str], folder: Path) -> Path:
    """The viewer without its policy, a recording with a payload in every name and text dropped on it, all clicked."""
    recording = folder / "poison.mcap"
    with recording.open("wb") as file:
        writer = Writer(file)
        writer.start("ros2", every[0])
        for payload in (text(number) for number in range(20)):
            schema = writer.register_schema(f"std_msgs/msg/String{payload}", "ros2msg", b"string data")
            channel = writer.register_channel(f"/{payload}", "cdr", schema)
            data = payload.encode()
            body = b"\x00\x01\x00\x00" + struct.pack("<I", len(data) + 1) + data + b"\x00"
            for second in range(2):
                writer.add_message(channel, second * 1_000_000_000, body, second * 1_000_000_000)
        writer.finish()
    page = folder / "viewer.html"
    page.write_text(viewer_html(), encoding="utf-8")
    bare = _without_policy(page)
    packed = base64.b64encode(recording.read_bytes()).decode()
    name = json.dumps(f"{every[1]}.mcap").replace("<", "\\u003c")
    bare.write_text(f"""{bare.read_text(encoding="utf-8")}<script>
const given = new DataTransfer();
given.items.add(new File([Uint8Array.from(atob("{packed}"), (c) => c.charCodeAt(0))], {name}));
document.dispatchEvent(new DragEvent("drop", {{ dataTransfer: given, cancelable: true }}));
const click = () => document.querySelectorAll("summary, .topics button, .rows input").forEach((one) => one.click());
for (const later of [400, 1200, 2000]) setTimeout(click, later);
</script>""", encoding="utf-8")  # fmt: skip
    return bare


def _replay_page(results: Results, study: Study, folder: Path) -> Path:
    """The page of a single run."""
    judged = next(one for one in results.runs if one.verdicts and one.run.trace_file)
    record = next(one for one in results.scenarios if one.id == judged.run.scenario_id)
    scenario = study.scenario(record.descriptor, seed=record.seed)
    trace = read_trace(Path(results.folder) / str(judged.run.trace_file))
    page = folder / "replay.html"
    html = replay_html(scenario, trace, judged.verdicts, oracle=study.oracle, title=text(15), command=text(16))
    page.write_text(html, encoding="utf-8")
    return page


def _reaches(payload: str, html: str) -> bool:
    """Whether a payload is in the page, escaped as text or as JSON."""
    word = re.sub(r"[\x00\u2028]", "", payload)
    from html import escape  # noqa: PLC0415

    return escape(word, quote=True).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in html or payload in html


def _ran(browser: str, address: str, profile: Path) -> bool:
    done = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}",
         "--virtual-time-budget=3000", "--dump-dom", address],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    if "<html" not in done.stdout:
        raise AssertionError(f"the browser showed nothing of {address}: {done.stderr[-300:]}")
    return f"<html {MARK}" in done.stdout or re.search(rf"<html[^>]*{MARK}", done.stdout) is not None
