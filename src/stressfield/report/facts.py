"""What the sections of the report read: the Summary of a campaign, and the study that it is of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stressfield.analysis import Association, Consistency, Finding, Summary
from stressfield.analysis.sensitivity import Value
from stressfield.campaign.records import Results
from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.study import Study


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything the sections need."""

    summary: Summary
    study: Study

    @property
    def results(self) -> Results:
        return self.summary.results

    @property
    def scenarios(self) -> Mapping[str, ScenarioRecord]:
        return self.summary.scenarios

    @property
    def runs(self) -> Mapping[str, JudgedRun]:
        return self.summary.runs

    @property
    def parameters(self) -> Mapping[str, Mapping[str, Value]]:
        return self.summary.parameters

    @property
    def findings(self) -> tuple[Finding, ...]:
        return self.summary.findings

    @property
    def consistency(self) -> Consistency:
        return self.summary.repeatability

    @property
    def associations(self) -> tuple[Association, ...]:
        return self.summary.associations

    @property
    def sampled(self) -> bool:
        return self.summary.sampled

    def in_world(self, scenario_id: str) -> tuple[JudgedRun, ...]:
        """The runs of one world, by repeat."""
        return tuple(judged for judged in self.summary.runs.values() if judged.run.scenario_id == scenario_id)
