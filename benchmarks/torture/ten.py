"""The rig study with ten properties."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stressfield.campaign import find_study
from stressfield.oracle import Oracle, PropertyClass

_rig = find_study(str(Path(__file__).parent / "rig.py"))
oracle = Oracle("ten")
for _number in range(10):
    oracle.property(f"P{_number}", PropertyClass.CRITICAL_EVENT, f"property {_number}", subcases={"1": "so"})(
        _rig.oracle.properties[0].judge
    )
study = replace(_rig, name="ten", oracle=oracle)
