"""``python -m stressfield`` is ``stressfield``."""

from stressfield.cli import main

if __name__ == "__main__":
    main()
