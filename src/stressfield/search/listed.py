"""A strategy that knows all of its proposals from the start."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.search.candidate import Candidate, Evaluated


class ListedStrategy:
    """Proposes the given templates in order, round and round."""

    def __init__(self, templates: Sequence[str]) -> None:
        self._templates = tuple(templates)
        self._next = 0

    @property
    def combinations(self) -> int:
        """How many different templates there are."""
        return len(self._templates)

    def ask(self, n: int) -> list[Candidate]:
        """The next ``n`` candidates."""
        places = range(self._next, self._next + n)
        self._next += n
        return [Candidate(index, self._templates[index % len(self._templates)]) for index in places]

    def tell(self, results: Sequence[Evaluated]) -> None:
        """Nothing to learn: the list is fixed."""
