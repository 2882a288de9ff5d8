"""Verbs that show what is going on."""
