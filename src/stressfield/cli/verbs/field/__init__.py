"""Verbs about recordings from the field."""
