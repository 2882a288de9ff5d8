"""A program that uses `stressfield serve`: it begins a campaign, watches it, and says what was found.

    stressfield serve runs --allow yard.py          # prints a link
    python campaign_client.py LINK yard.py nightly

Only the standard library. All questions are in docs/reference/openapi.json.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen


class Client:
    """Asks the server behind the link that it printed."""

    def __init__(self, link: str) -> None:
        parts = urlsplit(link)
        self.base = f"{parts.scheme}://{parts.netloc}"
        self.token = parse_qs(parts.query)["token"][0]

    def ask(self, path: str, body: object = None) -> Any:
        """The answer to a question, or what has come of a request to do something (with a body)."""
        with self.open(path, body) as answer:
            return json.load(answer)

    def open(self, path: str, body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "X-Stressfield": "1", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        return urlopen(Request(self.base + path, data, headers))  # noqa: S310 (the user's own link)

    def events(self) -> Iterator[tuple[str, Any]]:
        """Whatever changes, as it changes: ("campaign", {...})."""
        name = ""
        with self.open("/api/events") as stream:
            for line in stream:
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if key == "event":
                    name = value
                elif key == "data":
                    yield name, json.loads(value)


def main(link: str, study: str, name: str) -> None:
    """Begin a campaign, tell how it goes until it ends, then what was found."""
    client = Client(link)
    events = client.events()
    next(events)  # listening, before anything begins
    job = client.ask("/api/campaigns", {"study": study, "name": name, "worlds": 5, "seed": 1})
    for kind, told in events:
        if kind == "campaign" and told["id"] == name and told["done"]:
            print(f"{told['done']} of {told['planned']} runs: {told['counts']}")  # noqa: T201
        if kind == "job" and told["id"] == job["id"] and not told["running"]:
            break
    for finding in client.ask(f"/api/campaigns/{name}/findings"):
        print(f"{finding['id']} {finding['headline']}, {finding['runs']} runs")  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:4])
