"""What it means: one Summary of a campaign, and the statistics behind it; from plain data, without a simulator.

======================================= ======================================================================
summarise                               everything that a campaign says, computed once (`Summary`)
wilson, clopper_pearson                 how sure a failing rate is (`Rate`)
confidence_sequence, settlement           a rate that may be looked at all the time (`Settlement`)
consistency                             do repeats of the same world agree? (`Consistency`)
compare                                 is a campaign worse than another, beyond noise? (`CampaignComparison`)
compare_verdicts                        the same by verdicts alone, property by property (`Endpoint`)
smallest_p, stratified, fisher          is it chance? Tests that shuffle runs or worlds (`Shuffles`)
holm                                    many tests at once
associations, explain                   which parameters go with failure, and when does it fail? (`Rule`)
history                                 many campaigns of a study over time (`History`, `Trend`, `CaseHistory`)
circumstance, mechanisms                what was hit, with what, doing what (`Circumstance`, `Mechanism`)
gate, read_known_issues, decide         what is new and what is known; how a command ends (`Triage`, `ExitCode`)
findings                                verdicts grouped into distinct failures (`Finding`)
SideBySide                              published figures beside our own
outcome_class, tortuousness_rad         how a navigation mission ended, and how much its path winds
divergence                              when and in which signal two repeats part (`Divergence`)
front, noise_aware_front, hypervolume   which tests hurt most, beyond noise; how a front grew (`Box`)
Watched                                 a runtime monitor against the recordings (`MonitorScore`)
coverage_history, formula_coverage      how much of a testing space was seen (`CoverageHistory`)
effect_size, a12                        how much better is one strategy than another? (`EffectSize`)
======================================= ======================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.analysis import monitors
    from stressfield.analysis.comparison import CampaignComparison, Flip, compare, compare_verdicts, same_worlds
    from stressfield.analysis.divergence import ComparedSignal, Divergence, Parting, divergence
    from stressfield.analysis.endpoints import Change, Endpoint, EndpointKind, WorldPair
    from stressfield.analysis.exact_tests import (
        Comparison,
        ManyTests,
        Shuffles,
        deals,
        fisher,
        redeals,
        signed_ranks,
        smallest_p,
        stratified,
        swaps,
    )
    from stressfield.analysis.findings import Finding, VerdictRow, findings
    from stressfield.analysis.history import (
        CaseHistory,
        CaseSeen,
        History,
        HistoryPoint,
        LastChange,
        Settlement,
        Sight,
        Trend,
        history,
        history_point,
        last_change,
        settlement,
    )
    from stressfield.analysis.known_issues import (
        Decision,
        ExitCode,
        KnownIssue,
        Triage,
        decide,
        gate,
        read_known_issues,
    )
    from stressfield.analysis.mechanisms import Circumstance, Mechanism, circumstance, mechanisms
    from stressfield.analysis.monitors import MonitorScore, Watched
    from stressfield.analysis.navigation import (
        MissionFacts,
        NavigationRun,
        OutcomeClass,
        crashed_run,
        navigation_metrics,
        navigation_run,
        outcome_class,
        tortuousness_rad,
    )
    from stressfield.analysis.published import SideBySide, SideBySideRow
    from stressfield.analysis.repeatability import Consistency, WorldRepeats, consistency
    from stressfield.analysis.rules import explain
    from stressfield.analysis.searches import (
        SEARCH_COLUMNS,
        ComparedSearches,
        CoverageHistory,
        SearchFigures,
        SearchGroup,
        compare_searches,
        coverage_history,
        formula_coverage,
        hypervolume_history,
    )
    from stressfield.analysis.sensitivity import (
        Association,
        ParameterCondition,
        Rule,
        Run,
        WorldShare,
        associations,
        worlds_of,
    )
    from stressfield.analysis.statistics import (
        EffectSize,
        RankTest,
        Rate,
        clopper_pearson,
        confidence_sequence,
        effect_size,
        holm,
        magnitude,
        spearman,
        wilson,
    )
    from stressfield.analysis.summary import (
        MetricSummary,
        PropertySummary,
        SubcaseSummary,
        Summary,
        Sureness,
        Unmeasured,
        WorldSummary,
        summarise,
    )
    from stressfield.search.front import Box, a12, front, hypervolume, noise_aware_front

__all__ = [
    "SEARCH_COLUMNS",
    "Association",
    "Box",
    "CampaignComparison",
    "CaseHistory",
    "CaseSeen",
    "Change",
    "Circumstance",
    "ComparedSearches",
    "ComparedSignal",
    "Comparison",
    "Consistency",
    "CoverageHistory",
    "Decision",
    "Divergence",
    "EffectSize",
    "Endpoint",
    "EndpointKind",
    "ExitCode",
    "Finding",
    "Flip",
    "History",
    "HistoryPoint",
    "KnownIssue",
    "LastChange",
    "ManyTests",
    "Mechanism",
    "MetricSummary",
    "MissionFacts",
    "MonitorScore",
    "NavigationRun",
    "OutcomeClass",
    "ParameterCondition",
    "Parting",
    "PropertySummary",
    "RankTest",
    "Rate",
    "Rule",
    "Run",
    "SearchFigures",
    "SearchGroup",
    "Settlement",
    "Shuffles",
    "SideBySide",
    "SideBySideRow",
    "Sight",
    "SubcaseSummary",
    "Summary",
    "Sureness",
    "Trend",
    "Triage",
    "Unmeasured",
    "VerdictRow",
    "Watched",
    "WorldPair",
    "WorldRepeats",
    "WorldShare",
    "WorldSummary",
    "a12",
    "associations",
    "circumstance",
    "clopper_pearson",
    "compare",
    "compare_searches",
    "compare_verdicts",
    "confidence_sequence",
    "consistency",
    "coverage_history",
    "crashed_run",
    "deals",
    "decide",
    "divergence",
    "effect_size",
    "explain",
    "findings",
    "fisher",
    "formula_coverage",
    "front",
    "gate",
    "history",
    "history_point",
    "holm",
    "hypervolume",
    "hypervolume_history",
    "last_change",
    "magnitude",
    "mechanisms",
    "monitors",
    "navigation_metrics",
    "navigation_run",
    "noise_aware_front",
    "outcome_class",
    "read_known_issues",
    "redeals",
    "same_worlds",
    "settlement",
    "signed_ranks",
    "smallest_p",
    "spearman",
    "stratified",
    "summarise",
    "swaps",
    "tortuousness_rad",
    "wilson",
    "worlds_of",
]

lazy_names(__name__)
