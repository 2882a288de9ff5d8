from __future__ import annotations

from stressfield.analysis import SideBySide, SideBySideRow, VerdictRow, findings


def row(run: str, prop: str, margin: float | None, *, subcase: str | None = None, outcome: str = "fail") -> VerdictRow:
    return VerdictRow(
        run_id=run,
        scenario_id=run[0],
        descriptor="d" * len(run),
        property=prop,
        subcase=subcase,
        outcome=outcome,
        margin=margin,
        unit="m",
        at_s=None if margin is None else 10 + margin,
    )


ROWS = [
    row("a1", "P3", -0.1),
    row("a2", "P3", -0.1),
    row("b1", "P3", None),
    row("a1", "P5", -0.2, subcase="1"),
    row("b1", "P5", -0.3, subcase="1"),
    row("b2", "P5", 0.0, subcase="2"),
    row("c1", "P5", 0.5, outcome="pass"),
    row("c1", "P6", None, outcome="inconclusive"),
]


def test_failures_are_grouped_by_property_and_subcase() -> None:
    found = findings(ROWS)
    assert [(f.id, f.property, f.subcase, f.runs, f.worlds) for f in found] == [
        ("F1", "P3", None, 3, 2),
        ("F2", "P5", "1", 2, 2),
        ("F3", "P5", "2", 1, 1),
    ]


def test_severity_comes_before_count() -> None:
    found = findings(ROWS, severity={"P5": 0})
    assert [(f.property, f.subcase) for f in found] == [("P5", "1"), ("P5", "2"), ("P3", None)]


def test_the_example_is_the_worst_run() -> None:
    worst = findings(ROWS)[1]
    assert (worst.example_run_id, worst.worst, worst.at_s, worst.run_ids) == ("b1", -0.3, 9.7, ("a1", "b1"))


def test_a_margin_of_zero_is_a_margin_and_none_is_the_least_clear() -> None:
    assert findings(ROWS)[2].worst == 0.0
    assert findings(ROWS)[0].example_run_id == "a1"
    assert findings([row("a", "P3", None), row("b1", "P3", 0.2)])[0].example_run_id == "b1"


def test_a_finding_reads_as_a_line() -> None:
    found = findings(ROWS, conditions={("P5", "1"): "field.rows >= 3"})
    assert str(found[1]) == "F2  P5.1   2 runs in 2 worlds   worst -0.3 m at 9.7 s   when field.rows >= 3"
    assert str(findings([row("a1", "P8", None)])[0]) == "F1  P8   1 run in 1 world"


def test_published_beside_ours() -> None:
    table = SideBySide(
        "fails", "published", (SideBySideRow("P5", 142, 120), SideBySideRow("inconsistent", 29, None, "%"))
    )
    assert table.markdown().splitlines()[2:] == ["| P5 | 142 | 120 |", "| inconsistent | 29 % | - |"]
    assert [one.difference for one in table.rows] == [-22, None]


def test_importing_analysis_does_not_import_the_slow_parts_of_scipy() -> None:
    import subprocess
    import sys

    code = "import sys, stressfield.analysis; sys.exit(not {'scipy.stats', 'scipy.special'}.isdisjoint(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
