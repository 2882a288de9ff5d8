"""Was it right: the properties of the four actions, by the names that the ontology gives them.

Counts are 5, 3, 5 and 4 for move_to, perceive_plane, pick_object and place_object: the least numbers of properties with
which the shares in Table IV of the published study can be had (fifths, thirds, fifths and quarters).

=================== ============================================================================================
move_to             MoveCompleted, AtDestination, FacingDestination, NoMoveCollisions, ObjectsUndisturbed
perceive_plane      PlanePerceived, PlaneHeight, ObjectsPerceived
pick_object         CloseObject, ObjectGrasped, NoGraspCollisions, MovedObject, ObjectInGripper
place_object        ObjectPlaced, OnSurface, NoPlaceCollisions, ObjectReleased
=================== ============================================================================================

Three more are there for ontologies that name them: ``Upright``, and ``InHand`` and ``MovedAlongY`` of Listing 1.
"""

from __future__ import annotations

from collections.abc import Mapping

from stressfield_studies.tabletop.messages import ACTIONS, MOVE_TO, PERCEIVE_PLANE, PICK_OBJECT, PLACE_OBJECT
from stressfield_studies.tabletop.oracle import move, perceive, pick, place, shared
from stressfield_studies.tabletop.oracle.executions import (
    ActionExecution,
    ActionStatus,
    Cause,
    executions,
)
from stressfield_studies.tabletop.oracle.property_judge import (
    NOT_EXECUTED,
    JudgeAction,
    Parameters,
    ParameterValue,
    PropertyJudge,
)

_STAY = {"moved_m": 0.02}
_PICK, _PLACE, _MOVE, _SEE = (PICK_OBJECT,), (PLACE_OBJECT,), (MOVE_TO,), (PERCEIVE_PLANE,)

_JUDGES = (
    PropertyJudge("MoveCompleted", "The action reports completion", _MOVE, shared.completed),
    PropertyJudge("AtDestination", "The robot is where it was sent", _MOVE, move.at_destination, {"near_m": 0.10}),
    PropertyJudge(
        "FacingDestination", "The robot faces as asked", _MOVE, move.facing_destination, {"turned_rad": 0.17}
    ),
    PropertyJudge("NoMoveCollisions", "The robot touches nothing on its way", _MOVE, move.no_collisions),
    PropertyJudge("ObjectsUndisturbed", "All objects stay where they are", _MOVE, shared.others_stay, _STAY),
    PropertyJudge("PlanePerceived", "The action reports completion", _SEE, shared.completed),
    PropertyJudge(
        "PlaneHeight", "The plane is as high as the surface", _SEE, perceive.plane_height, {"height_m": 0.015}
    ),
    PropertyJudge(
        "ObjectsPerceived", "All objects on the surface are found", _SEE, perceive.objects_perceived, {"near_m": 0.04}
    ),
    PropertyJudge("CloseObject", "The object is within reach before", _PICK, pick.close_object, {"reach_m": 1.1}),
    PropertyJudge("ObjectGrasped", "The action reports completion", _PICK, shared.completed),
    PropertyJudge("NoGraspCollisions", "All other objects stay", _PICK, shared.others_stay, _STAY),
    PropertyJudge("MovedObject", "The object has moved", _PICK, pick.moved_object, {"least_m": 0.05}),
    PropertyJudge("ObjectInGripper", "The object is in the gripper", _PICK, pick.in_gripper, {"near_m": 0.15}),
    PropertyJudge("InHand", "The object is in the gripper", _PICK, pick.in_gripper, {"near_m": 0.15}),
    PropertyJudge("MovedAlongY", "The object is lifted", _PICK, pick.lifted_object, {"least_m": 0.05}),
    PropertyJudge("ObjectPlaced", "The action reports completion", _PLACE, shared.completed),
    PropertyJudge(
        "OnSurface",
        "The object rests on the surface (after a pick: has left it)",
        (PICK_OBJECT, PLACE_OBJECT),
        place.on_surface,
        {"height_m": 0.015, "least_m": 0.02},
    ),
    PropertyJudge("NoPlaceCollisions", "All other objects stay", _PLACE, shared.others_stay, _STAY),
    PropertyJudge("ObjectReleased", "The gripper has let go of the object", _PLACE, place.released),
    PropertyJudge(
        "Upright", "The object stands upright", (PICK_OBJECT, PLACE_OBJECT), place.upright, {"tilt_rad": 0.3}
    ),
)

PROPERTY_JUDGES: Mapping[str, PropertyJudge] = {judge.name: judge for judge in _JUDGES}
"""The judge of each property that an ontology may name."""

__all__ = [
    "ACTIONS",
    "NOT_EXECUTED",
    "PROPERTY_JUDGES",
    "ActionExecution",
    "ActionStatus",
    "Cause",
    "JudgeAction",
    "ParameterValue",
    "Parameters",
    "PropertyJudge",
    "executions",
]
