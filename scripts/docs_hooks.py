"""Pages link to README.md and other files beside docs/, as they should in a repository; a site has only docs/."""

from __future__ import annotations

import re
from typing import Any

_OUTSIDE = re.compile(r"\[([^\]]+)\]\((?:\.\./)+(?!docs/)([A-Za-z][\w./-]*?)(?:#[\w-]+)?\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    """Links that leave docs/ become the name of the file they lead to."""
    depth = page.file.src_path.count("/") + 1

    def plain(match: re.Match[str]) -> str:
        ups = match[0].count("../")
        return f"{match[1]} (`{match[2]}`)" if ups >= depth else match[0]

    return _OUTSIDE.sub(plain, markdown)
