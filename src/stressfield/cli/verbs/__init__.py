"""One file a verb, nothing but words in and words out. ``cli/main.py`` imports the one that was typed."""
