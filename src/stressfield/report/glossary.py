"""The words of the report, for a reader who meets them for the first time."""

from __future__ import annotations

GLOSSARY = (
    ("World", "one generated place: ground, plants or obstacles, and where the robot starts."),
    ("Descriptor", "the short text that names all choices made for a world; the same text builds the same world."),
    ("Mission", "what the robot is asked to do in a world."),
    ("Run", "one execution of the mission in a world. Noise and delays differ from run to run, as on a real robot."),
    ("Repeat", "another run in the same world with other noise and delays."),
    ("Property", "a rule that must hold during a run, such as 'no collision'."),
    ("Sub-case", "the circumstances in which a property was violated, worked out automatically."),
    ("Margin", "how far a run stayed from violating a property, in its unit; negative when it was violated."),
    ("Finding", "one distinct failure: a property and sub-case, and all runs that show it."),
    ("Inconclusive", "the property saw too little data to decide. Never counted as a pass."),
    ("Invalid", "the test rig itself had trouble. Never counted as a pass or a fail."),
    ("Crashed", "the robot software stopped by an error of its own."),
    ("CI", "confidence interval: the range that holds the true value in 95 of 100 such campaigns."),
    (
        "p",
        "the chance of so strong a pattern if there were none, corrected for the number of patterns tried.",
    ),
)
