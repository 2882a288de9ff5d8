"""One run, told: what is drawn and played of it, its page, its timeline as text."""
