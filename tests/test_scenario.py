"""Options of a study: declared once, checked, plain data in plans, and a part of a scenario's name."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import Annotated

import pytest
from msgspec import Meta

from stressfield.errors import InputError
from stressfield.scenario import Scenario, checked_options, options_from_texts, scenario_id
from stressfield.world import Bodies, Mission, Terrain, World


@dataclass(frozen=True, slots=True, kw_only=True)
class Weather:
    rain: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.0
    night: bool = False
    people: int = 3
    season: str = "spring"

    def apply(self, scenario: Scenario) -> Scenario:
        return replace(scenario, mission=replace(scenario.mission, limit_s=100.0 * (1.0 - self.rain)))


def test_texts_become_values_and_defaults_are_left_out() -> None:
    assert options_from_texts(["rain=0.5", "night", "people=3", "season=autumn"], Weather, "yard") == {
        "rain": 0.5,
        "night": True,
        "season": "autumn",
    }
    assert options_from_texts(["night=false"], Weather, "yard") == {}
    assert checked_options({"rain": 1}, Weather, "yard") == {"rain": 1.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rian=1", "Unknown option 'rian' of study 'yard'. It has: rain, night, people, season. Did you mean 'rain'?"),
        ("rain=2", "Option rain: got '2', wanted a number from 0 to 1."),
        ("rain=nan", "Option rain: got 'nan', wanted a number from 0 to 1."),
        ("rain=much", "Option rain: got 'much', wanted a number from 0 to 1."),
        ("night=perhaps", "Option night: got 'perhaps', wanted true or false."),
        ("people=2.5", "Option people: got '2.5', wanted a whole number."),
    ],
)
def test_what_does_not_fit_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        options_from_texts([text], Weather, "yard")
    assert str(caught.value) == message


def test_a_study_without_options_says_so() -> None:
    with pytest.raises(InputError, match="The study 'yard' has no options, got 'rain'"):
        options_from_texts(["rain=1"], None, "yard")
    assert options_from_texts([], None, "yard") == {}


def test_ids_are_made_of_the_text_that_they_were_first_made_of() -> None:
    first = "wheel_slip=0.3, double_vision=0.0, missed_markers=0.0, late_stop=True, downhill_overspeed=False"
    text = "\x1f".join(["oz", "r", "7", f"RigOptions({first})"])
    wanted = hashlib.sha256(text.encode()).hexdigest()[:12]
    assert scenario_id("oz", "r", 7, {"late_stop": True, "wheel_slip": 0.3}) == wanted


def test_every_option_changes_the_id_in_any_order() -> None:
    world = World("w", Terrain.flat(x0_m=0.0, y0_m=0.0, size_m=1.0), Bodies.none(), ())
    plain = Scenario(world, Mission(limit_s=1.0))
    rain = replace(plain, options={"rain": 0.5, "night": True})
    assert plain.id != rain.id
    assert rain.id == replace(plain, options={"night": True, "rain": 0.5}).id
