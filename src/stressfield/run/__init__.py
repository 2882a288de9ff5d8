"""One run: execute a scenario with a subject in a simulator, and say how it ended."""

from stressfield.run.execute import Ending, Executed, execute
from stressfield.run.status import Status
from stressfield.run.stopwatch import Stopwatch

__all__ = ["Ending", "Executed", "Status", "Stopwatch", "execute"]
