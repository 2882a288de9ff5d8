"""Every world drawn at random."""

from __future__ import annotations

from stressfield.search.listed import Listed
from stressfield.search.strategy import OfWorlds, Setting


class RandomWorlds(OfWorlds, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="random", tag_field="kind"):
    """Every world is drawn from the plan's template; ``r`` leaves everything to chance."""

    def make(self, setting: Setting) -> Listed:
        """The strategy; InputError if the template is none of the model's."""
        setting.model.check_descriptor(setting.template)
        return Listed((setting.template,))
