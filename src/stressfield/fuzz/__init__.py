"""What goes wrong (under construction)."""
