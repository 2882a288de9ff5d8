"""Worlds that are known from the start: given templates, in order, round and round."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.errors import InputError
from stressfield.search.strategy import Candidate, OfWorlds, Setting


class Listed:
    """Proposes the given templates in order, round and round. It learns nothing."""

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


class ListedWorlds(OfWorlds, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="listed", tag_field="kind"):
    """Worlds are drawn from these templates in turn, round and round."""

    own_templates = True
    templates: tuple[str, ...]

    def make(self, setting: Setting) -> Listed:
        """The strategy; InputError for a template that is none of the model's."""
        if not self.templates:
            raise InputError("The strategy listed has no templates. Wanted at least one descriptor.")
        for template in self.templates:
            setting.model.check_descriptor(template)
        return Listed(self.templates)
