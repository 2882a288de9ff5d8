"""Verbs that run robot software, in many worlds or under many disturbances."""
