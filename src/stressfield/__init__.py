"""stressfield finds out in simulation what would fail in the field."""
