"""Testing spaces from the model files of SESAME, the published fuzzing tool."""

from stressfield.fuzz.sesame.model import Imported, read_sesame, sesame_from_xml

__all__ = ["Imported", "read_sesame", "sesame_from_xml"]
