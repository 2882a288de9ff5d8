"""What the series of the study say: facts, a page, and a summary for the terminal."""
