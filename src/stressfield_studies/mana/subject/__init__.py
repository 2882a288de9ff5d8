"""The navigation of Mana: DTM builds the elevation map, POM keeps the pose, P3D plans and drives."""

from stressfield_studies.mana.subject.dtm import Dtm
from stressfield_studies.mana.subject.messages import ElectedArc, ElevationMap
from stressfield_studies.mana.subject.p3d import P3d, RobotSize
from stressfield_studies.mana.subject.pom import Pom

__all__ = ["Dtm", "ElectedArc", "ElevationMap", "P3d", "Pom", "RobotSize"]
