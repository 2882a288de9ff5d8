"""Bad inputs without end: good ones, damaged; words of the language in a wrong order; plain noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from stressfield.seeds import generator

NASTY = (
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"'",
    b'"',
    b"\\",
    b"\\u0000",
    b"\\ud800",
    b"<",
    b">",
    b"&",
    b"&amp;",
    b"&x;",
    b"<!DOCTYPE x [<!ENTITY a 'b'>]>",
    b"<!--",
    b"<![CDATA[",
    b"&#0;",
    b"&#x110000;",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b",",
    b":",
    b"-",
    b"- ",
    b"---\n",
    b"...",
    b"!!python/object:os.system",
    b"&a ",
    b"*a",
    b"<<: *a",
    b"| ",
    b"> ",
    b"? ",
    b"#",
    b"= ",
    b"[[",
    b"]]",
    b"[a.b]",
    b"'''",
    b'"""',
    b"nan",
    b"inf",
    b"-inf",
    b"NaN",
    b"Infinity",
    b"-0",
    b"0",
    b"1e999",
    b"-1e999",
    b"1e-999",
    b"9" * 40,
    b"9" * 400,
    b"0x" + b"f" * 20,
    b"1_000",
    b".",
    b"..",
    b"../../etc/passwd",
    b"true",
    b"null",
    b"~",
    b"and ",
    b"or ",
    b"not ",
    b"**",
    b"__import__",
    b"{{7*7}}",
    "\u202e".encode(),
    "\U0001f916".encode(),
    "e\u0301".encode(),
    "\u0660".encode(),
    "\u2028".encode(),
    b" " * 50,
    b"\t" * 50,
    b"(" * 200,
    b"[" * 500,
    b"{" * 500,
    b"<a>" * 200,
    b"-" * 300,
    b"[0," * 300,
    b'{"a":' * 300,
    b"a: " * 50,
    b"  - " * 100,
)


def bad_inputs(name: str, good: Sequence[bytes], *, longest: int = 20_000) -> Iterator[bytes]:
    """Never ends; the same ``name`` gives the same inputs."""
    rng = generator(11, "bad inputs", name)
    words = [word for text in good for word in text.replace(b"\n", b" ").split(b" ") if word][:2000] or [b"x"]
    while True:
        # numbers are drawn in blocks: one by one they would take longer than most parsers
        for dice in rng.random((256, 10)).tolist():
            yield _one(dice, good, words, rng)[:longest]


def _one(dice: list[float], good: Sequence[bytes], words: list[bytes], rng: np.random.Generator) -> bytes:
    text = good[int(dice[0] * len(good))]
    way = dice[1]
    if way < 0.03:
        return rng.bytes(int(dice[2] * 200))
    if way < 0.10:
        chosen = (words[int(one * len(words))] if one < 0.9 else NASTY[int(one * len(NASTY))] for one in dice[2:])
        return b" ".join(chosen)
    for turn in range(1 + int(dice[9] * 3)):
        text = _changed(text, dice[2 + 2 * turn], dice[3 + 2 * turn], words)
    return text


def _changed(  # noqa: PLR0911
    text: bytes, where: float, what: float, words: list[bytes]
) -> bytes:
    at = int(where * (len(text) + 1))
    way, rest = divmod(what * 7.0, 1.0)
    if way == 0:  # a bit
        broken = bytearray(text)
        if broken:
            broken[at % len(broken)] ^= 1 << int(rest * 8)
        return bytes(broken)
    if way == 1:  # cut
        return text[:at]
    if way == 2:  # something left out
        return text[:at] + text[at + 1 + int(rest * 40) :]
    if way == 3:  # something twice
        piece = text[at : at + 1 + int(rest * 60)]
        return text[:at] + piece * (1 + int(rest * 50)) + text[at:]
    if way == 4:  # a word from elsewhere
        return text[:at] + words[int(rest * len(words))] + text[at:]
    if way == 5:  # something nasty
        return text[:at] + NASTY[int(rest * len(NASTY))] + text[at:]
    nasty = NASTY[int(rest * len(NASTY))]
    return text[:at] + nasty + text[at + len(nasty) :]
