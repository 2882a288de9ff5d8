"""Live parts of the sensors that stressfield brings, one noun a file."""
