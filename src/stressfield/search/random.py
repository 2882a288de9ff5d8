"""Every world drawn at random."""

from __future__ import annotations

from stressfield.search.listed import ListedStrategy


class RandomStrategy(ListedStrategy):
    """Every world is drawn from one template; ``r`` leaves everything to chance."""

    def __init__(self, template: str = "r") -> None:
        super().__init__((template,))
