"""One test for each cell of a testing space."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.errors import InputError
from stressfield.fuzz import Search, TestingSpace
from stressfield.model import Element
from stressfield.search.cells import Cells
from stressfield.search.random_tests import BATCH
from stressfield.search.stop_rule import StopRule
from stressfield.search.strategy import Candidate, Evaluated
from stressfield.seeds import generator


class SweepTestStrategy:
    """Goes through the cells of a space in random order: one operation, one target, parameters and time of one step.

    Each is tried alone. The world is the template's, drawn again for each test where it leaves anything open.
    """

    def __init__(
        self,
        space: TestingSpace,
        search: Search,
        *,
        model: type[Element],
        template: str = "r",
        seed: int,
        steps: int = 3,
        evaluations: int | None = None,
        batch: int = BATCH,
    ) -> None:
        model.check_descriptor(template)
        self._cells = Cells(space, search, steps=steps)
        every = self._cells.all()
        if not every:
            raise InputError(f"The testing space {space.name!r} has no operations to sweep over.")
        self.batch = batch
        self.combinations = len(every)
        self._stop_rule = StopRule(space, search, evaluations=min(len(every), evaluations or len(every)))
        order = generator(seed, "search", "sweep").permutation(len(every)).tolist()
        self._order = [every[at] for at in order]
        self._seed, self._template = seed, template

    @property
    def reason(self) -> str | None:
        """Why the sweep has ended; None while it goes on."""
        return self._stop_rule.reason

    def ask(self, n: int) -> list[Candidate]:
        """The next cells, at most to the end of a batch; none when all were visited or the budget is spent."""
        first = self._stop_rule.asked
        self._stop_rule.told(())
        asked = []
        for index in range(first, first + max(0, min(n, self._stop_rule.left, self.batch - first % self.batch))):
            operation = self._cells.operation(self._order[index], generator(self._seed, "search", "sweep", index))
            asked.append(Candidate(index, self._template, (operation,), index // self.batch))
            self._stop_rule.proposed((operation,))
        return asked

    def tell(self, results: Sequence[Evaluated]) -> None:
        """Nothing to learn: the cells are fixed."""
