"""Verbs about studies, their models and spaces, and this machine."""
