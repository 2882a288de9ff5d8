"""The navigator of the weeding robot: row tracking, stakes, U-turns, errors; with its known issues as switches."""

from stressfield_studies.oz.subject.issues import Issues, issues_of
from stressfield_studies.oz.subject.navigator import Navigator
from stressfield_studies.oz.subject.row_tracker import RowTracker

__all__ = ["Issues", "Navigator", "RowTracker", "issues_of"]
