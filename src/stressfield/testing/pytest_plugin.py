"""The pytest plugin: runs of a study as tests.

Files that hold a study (``*_study.py``, ``study_*.py``, what the setting ``stressfield_files`` says, or a file named on
the command line) become one test a run. In a test of your own, mark it with a study and take the fixture::

    @pytest.mark.stressfield("yard.py", runs=20)
    def test_the_mower(stressfield_run):
        stressfield_run.check()

A run that is inconclusive is skipped. If all runs of a study's file are, nothing was judged: then the session fails.

Nothing of stressfield is loaded before a study is met.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from stressfield.testing._stash import JUDGED, RUN, RUNNER, RUNS, keep_run, runner_of

if TYPE_CHECKING:
    from stressfield.testing.sampled_run import SampledRun
    from stressfield.trace import Trace

for _suite in ("executor", "simulator", "strategy", "subject"):
    pytest.register_assert_rewrite(f"stressfield.testing.{_suite}")

FILES = ("*_study.py", "study_*.py")
MARK = "stressfield(study, runs=, repeats=, seed=, build=, template=): runs of a study, for the fixture stressfield_run"
_TOLD = "stressfield_told"
_JUDGED = "stressfield_judged"
_told_key = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the plugin."""
    group = parser.getgroup("stressfield", "runs of robot software as tests")
    add = group.addoption
    add("--stressfield-runs", type=int, metavar="N", help=f"Runs of each study (default: {RUNS}, or what tests say).")
    add("--stressfield-repeats", type=int, metavar="K", help="Runs in each world (default: 1).")
    add("--stressfield-seed", type=int, metavar="S", help="Seed of worlds and runs (default: 0).")
    add("--stressfield-build", metavar="NAME", help="Build of the robot software (default: the study's first).")
    add("--stressfield-out", metavar="DIR", default=".stressfield", help="Where failing runs are kept.")
    add("--stressfield-timeout", type=float, metavar="S", default=120.0, help="Wall time a run may take, in seconds.")
    add("--stressfield-in-process", action="store_true", help="No worker processes: for debuggers.")
    parser.addini("stressfield_files", "Patterns of files that hold a study.", type="args", default=list(FILES))


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line("markers", MARK)
    config.stash[_told_key] = []


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A file with a study is a collection of its runs."""
    if file_path.suffix != ".py" or not _is_study_file(file_path, parent.config):
        return None
    from stressfield.testing.study_items import StudyFile  # noqa: PLC0415

    return StudyFile.from_parent(parent, path=file_path)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A marked test runs once for each run of its study."""
    mark = metafunc.definition.get_closest_marker("stressfield")
    if not {"stressfield_run", "stressfield_trace"} & set(metafunc.fixturenames):
        return
    if mark is None:
        raise pytest.Collector.CollectError(
            f"{metafunc.definition.nodeid} takes stressfield_run but has no study. "
            "Wanted @pytest.mark.stressfield('my_study.py')."
        )
    from stressfield.testing.study_items import marked_sample, names  # noqa: PLC0415

    chosen = marked_sample(mark, metafunc.definition.path.parent, metafunc.config)
    metafunc.parametrize(
        "stressfield_run", [(chosen, planned) for planned in chosen.runs], ids=names(chosen), indirect=True
    )


@pytest.fixture
def stressfield_run(request: pytest.FixtureRequest) -> SampledRun:
    """One run of the marked study, done. ``check()`` fails the test if the robot failed."""
    from stressfield.testing.study_items import do_run  # noqa: PLC0415

    run = do_run(runner_of(request.config), *request.param)
    keep_run(request.node, run)
    return run


@pytest.fixture
def stressfield_trace(stressfield_run: SampledRun) -> Trace:
    """The recording of the run."""
    return stressfield_run.trace


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[None]:
    """Send the run along with the report of its test: with xdist the two are in different processes."""
    report = yield
    if call.when == "setup" and RUN in item.stash:
        from stressfield.testing.session_campaign import to_text  # noqa: PLC0415

        setattr(report, _TOLD, to_text(item.stash[RUN]))
    if call.when == "call" and JUDGED in item.stash:
        setattr(report, _JUDGED, item.stash[JUDGED])
    return report


class _Books:
    """Lives in the process that keeps the books: the only one, or the one that leads the workers of xdist."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._judged: dict[str, list[bool]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = getattr(report, _TOLD, None)
        if told is not None:
            self._config.stash[_told_key].append(told)
        judged = getattr(report, _JUDGED, None)
        if judged is not None:
            file, decided = judged
            self._judged.setdefault(file, []).append(decided)

    @property
    def _unjudged(self) -> list[tuple[str, int]]:
        """Files of studies of which no run passed or failed, and how many runs they had."""
        return [(file, len(decided)) for file, decided in self._judged.items() if not any(decided)]

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._unjudged and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        for file, runs in self._unjudged:
            terminalreporter.write_line(
                f"stressfield: nothing was judged: {runs} runs of {file}, all inconclusive. The session fails.",
                red=True,
            )
        told = self._config.stash[_told_key]
        if not told:
            return
        from stressfield.errors import StressfieldError  # noqa: PLC0415
        from stressfield.testing.session_campaign import from_text, write_campaigns  # noqa: PLC0415

        try:
            for folder in write_campaigns([from_text(text) for text in told]):
                terminalreporter.write_line(f"stressfield: runs are in {folder}   see: stressfield report {folder}")
        except StressfieldError as error:
            terminalreporter.write_line(f"stressfield: the runs could not be kept: {error}", red=True)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Only one process keeps the books."""
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(_Books(session.config), "stressfield-books")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """End the workers."""
    if RUNNER in session.config.stash:
        session.config.stash[RUNNER].close()


def _is_study_file(path: Path, config: pytest.Config) -> bool:
    named = any(Path(argument.partition("::")[0]).absolute() == path for argument in config.args)
    patterns = config.getini("stressfield_files")
    fits = any(path.match(pattern) for pattern in patterns)
    return (named or fits) and _has_study(path)


def _has_study(path: Path) -> bool:
    """Whether the file binds a module-level ``study``; found without running it."""
    import ast  # noqa: PLC0415

    text = path.read_text(encoding="utf-8", errors="replace")
    if "study" not in text:
        return False
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return True  # loading it says what is wrong
    targets = [t for node in tree.body if isinstance(node, ast.Assign) for t in node.targets]
    targets += [node.target for node in tree.body if isinstance(node, ast.AnnAssign)]
    return any(isinstance(target, ast.Name) and target.id == "study" for target in targets)
