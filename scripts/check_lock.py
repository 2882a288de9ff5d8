"""Do the lock files still fit pyproject.toml? Prints what does not; exit code 1 if anything."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)")


def pins(text: str) -> dict[str, list[str]]:
    """The locked versions of each package (several where they depend on the Python version)."""
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if match := PIN.match(line):
            found.setdefault(canonicalize_name(match[1]), []).append(match[2])
    return found


def faults(name: str, wanted: list[str]) -> list[str]:
    """What is wrong with one lock file."""
    text = (ROOT / name).read_text()
    locked = pins(text)
    found = [f"{name} names a host or a path: {line.strip()}" for line in text.splitlines() if "://" in line]
    blocks = re.split(r"\n(?=\S)", text.strip())
    found += [f"{name} has no hash for {block.split()[0]}" for block in blocks if "--hash=sha256:" not in block]
    for requirement in map(Requirement, wanted):
        versions = locked.get(canonicalize_name(requirement.name), [])
        if not versions or not all(requirement.specifier.contains(version) for version in versions):
            found.append(f"{name} has {requirement.name} {versions or 'nowhere'}, pyproject.toml wants {requirement}")
    return found


def main() -> int:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    runtime = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    extras = project["project"]["optional-dependencies"].values()
    dev = [one for extra in extras for one in extra if not one.startswith(f"{project['project']['name']}[")]
    found = faults("requirements.lock", runtime) + faults("requirements-dev.lock", runtime + dev)
    for fault in found:
        sys.stderr.write(f"{fault}. Run 'make lock'.\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
