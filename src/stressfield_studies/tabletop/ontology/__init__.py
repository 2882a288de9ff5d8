"""The action ontology: which actions there are, and which properties judge each of them.

============== ===================================================================
own_ontology   the study's own, ``actions.owl``
load_ontology  one from an OWL file of yours
Ontology       actions by name; an Action has parameters and ActionProperties
============== ===================================================================
"""

from stressfield_studies.tabletop.ontology.ontology import Action, ActionProperty, Ontology, load_ontology, own_ontology

__all__ = ["Action", "ActionProperty", "Ontology", "load_ontology", "own_ontology"]
