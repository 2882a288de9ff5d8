"""Verbs for campaigns that one machine does not do alone."""
