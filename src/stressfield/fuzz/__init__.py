"""What goes wrong: operations, activations, the condition language, testing spaces (under construction)."""
