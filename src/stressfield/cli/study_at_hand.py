"""The study of a campaign for verbs that can do without it: a folder from another machine is read as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield.campaign.results import Results, study_of
from stressfield.cli.echo import echo
from stressfield.errors import InputError

if TYPE_CHECKING:
    from stressfield.study import Study


def study_at_hand(results: Results, *, given: str | None, without: str) -> Study | None:
    """The study; None if it cannot be had, and one line that says why and what is missing ``without`` it.

    A study that was ``given`` must be had: else that is an InputError.
    """
    try:
        return study_of(results)
    except InputError as error:
        if given is not None:
            raise
        echo(f" Without the study, {without}. {error}", err=True)
        return None
