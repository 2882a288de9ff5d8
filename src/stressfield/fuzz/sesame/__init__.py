"""Testing spaces from the model files of SESAME, the published fuzzing tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.fuzz.sesame._operations import Frequency
    from stressfield.fuzz.sesame.model import Imported, read_sesame, sesame_from_xml

__all__ = ["Frequency", "Imported", "read_sesame", "sesame_from_xml"]

lazy_names(__name__)
