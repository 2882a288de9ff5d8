"""How much of a testing space a campaign has seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stressfield.fuzz import Operation, Search, TestingSpace

STEPS = 10


def formula_coverage(
    space: TestingSpace,
    campaign: Search | None = None,
    *,
    machines: int,
    time_s: float,
    run_s: float,
    steps: int = STEPS,
) -> float:
    """C(t) = M t / (S (O P T)^V): the share of all test configurations that were run after a time.

    M: ``machines`` that evaluate tests in parallel. t: ``time_s`` since the campaign began. S: ``run_s``, seconds that
    one evaluation takes; M t / S is the number of evaluations so far. O: operations that can act on a variable. P:
    choices of parameters of an operation. T: choices of times, or of conditions, of an operation. V: variables that can
    be disturbed, here the targets (topics and nodes). What is continuous is cut into ``steps``. Where targets differ in
    their operations, (O P T)^V is the product over the targets of the sum of P T over their operations.
    """
    from stressfield.fuzz import count  # noqa: PLC0415 - slow to import

    return count(space, campaign, steps=steps).coverage(machines=machines, time_s=time_s, run_s=run_s)


@dataclass(frozen=True, slots=True)
class CoverageHistory:
    """After each evaluation: ``cells`` entered, as counts of ``total``; and C(t) with M t / S evaluations.

    ``configurations`` is (O P T)^V. Cells cut ranges into ``steps``, configurations into ten.
    """

    total: int
    configurations: int
    cells: tuple[int, ...]
    formula: tuple[float, ...]
    steps: int

    @property
    def shares(self) -> tuple[float, ...]:
        """Cells entered as shares of all."""
        return tuple(entered / self.total if self.total else 0.0 for entered in self.cells)


def coverage_history(
    space: TestingSpace,
    campaign: Search | None,
    tests: Iterable[Sequence[Operation]],
    *,
    steps: int = 3,
) -> CoverageHistory:
    """Coverage over a campaign's tests in their order; see `Cells` for what a cell is."""
    from stressfield.fuzz import count  # noqa: PLC0415 - slow to import
    from stressfield.search.cells import CellCoverage, Cells  # noqa: PLC0415

    cells = Cells(space, campaign, steps=steps)
    seen, counts = CellCoverage(cells), []
    for operations in tests:
        seen.add(operations)
        counts.append(seen.count)
    size = count(space, campaign, steps=STEPS)
    formula = (
        [size.coverage(machines=1, time_s=float(n), run_s=1.0) for n in range(1, len(counts) + 1)]
        if size.total
        else [0.0] * len(counts)
    )
    return CoverageHistory(cells.total, size.total, tuple(counts), tuple(formula), steps)
