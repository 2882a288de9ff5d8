"""What it means: statistics of verdicts, from plain data, without a simulator.

======================================= ======================================================================
wilson, clopper_pearson                 how sure a failing rate is (`Rate`)
consistency                             do repeats of the same world agree? (`Consistency`)
fisher, mcnemar, paired_permutation     does one build fail more than another? (`Comparison`)
holm                                    many tests at once
associations, explain                   which parameters go with failure, and when does it fail? (`Rule`)
findings                                verdicts grouped into distinct failures (`Finding`)
SideBySide                              published figures beside our own
======================================= ======================================================================
"""

from stressfield.analysis.compare import Comparison, PairedWorld, fisher, mcnemar, paired_permutation
from stressfield.analysis.condition import Condition, Run, WorldShare, worlds_of
from stressfield.analysis.findings import Finding, VerdictRow, findings
from stressfield.analysis.holm import holm
from stressfield.analysis.interval import Rate, clopper_pearson, wilson
from stressfield.analysis.repeatability import Consistency, WorldRepeats, consistency
from stressfield.analysis.sensitivity import Association, Rule, associations, explain
from stressfield.analysis.tables import SideBySide, SideBySideRow

__all__ = [
    "Association",
    "Comparison",
    "Condition",
    "Consistency",
    "Finding",
    "PairedWorld",
    "Rate",
    "Rule",
    "Run",
    "SideBySide",
    "SideBySideRow",
    "VerdictRow",
    "WorldRepeats",
    "WorldShare",
    "associations",
    "clopper_pearson",
    "consistency",
    "explain",
    "findings",
    "fisher",
    "holm",
    "mcnemar",
    "paired_permutation",
    "wilson",
    "worlds_of",
]
