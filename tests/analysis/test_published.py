"""Published figures beside our own."""

from __future__ import annotations

from stressfield.analysis import SideBySide, SideBySideRow


def test_counts_of_different_totals_are_compared_as_shares() -> None:
    row = SideBySideRow("failing runs", 192, 30, published_of=400, ours_of=36)
    assert row.texts() == ("failing runs", "192 of 400 (48.0 %)", "30 of 36 (83.3 %)", "+35.3 points")


def test_counts_of_equal_totals_are_compared_as_they_are() -> None:
    row = SideBySideRow("failing runs", 192, 180, published_of=400, ours_of=400)
    assert row.texts() == ("failing runs", "192", "180", "-12")


def test_what_is_missing_is_a_dash() -> None:
    assert SideBySideRow("worlds", None, 3, published_of=80, ours_of=12).texts() == (
        "worlds", "-", "3 of 12 (25.0 %)", "-",
    )  # fmt: skip
    assert SideBySideRow("share", 48.0, None, "%").texts() == ("share", "48 %", "-", "-")
    assert SideBySideRow("none run", 5, 0, published_of=80, ours_of=0).texts()[2:] == ("-", "-")


def test_figures_with_units() -> None:
    assert SideBySideRow("share", 48.0, 50.5, "%").texts()[1:] == ("48 %", "50.5 %", "+2.5 points")
    assert SideBySideRow("time", 2.0, 1.5, "s").texts()[1:] == ("2 s", "1.5 s", "-0.5 s")
    assert SideBySideRow("time", 2.0, 2.0 + 1e-12, "s").texts()[3] == "0 s"


def test_as_markdown() -> None:
    table = SideBySide("runs", "they", (SideBySideRow("failing", 192, 30, published_of=400, ours_of=36),))
    assert table.markdown().splitlines()[-1] == "| failing | 192 of 400 (48.0 %) | 30 of 36 (83.3 %) |"
