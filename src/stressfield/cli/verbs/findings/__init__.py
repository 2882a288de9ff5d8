"""Verbs about a campaign that is there: what it found, and doing its runs again."""
