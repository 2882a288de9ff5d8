"""Templates of the verb `new`."""
