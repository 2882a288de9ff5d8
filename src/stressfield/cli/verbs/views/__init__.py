"""Verbs that hand results to others: as tables, and live."""
