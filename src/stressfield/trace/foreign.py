"""Say what a file is when it is not a recording."""

from __future__ import annotations

_KINDS = (
    (b"SQLite format 3\x00", "an SQLite database (perhaps a .db3 bag or a results.sqlite)"),
    (b"#ROSBAG V", "a ROS 1 bag"),
    (b"PAR1", "a Parquet file"),
    (b"\x1f\x8b", "a gzip file"),
    (b"PK\x03\x04", "a zip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\x89PNG", "a PNG picture"),
    (b"\x7fELF", "a program"),
    (b"<", "an XML or HTML file"),
    (b"{", "a JSON file"),
)


def kind_of(data: bytes) -> str:
    """A person's name for the type of a file, from its first bytes."""
    if not data:
        return "empty"
    for start, name in _KINDS:
        if data.startswith(start):
            return name
    try:
        data[:64].decode("ascii")
    except UnicodeDecodeError:
        return f"something unknown (first bytes {data[:8].hex(' ')})"
    return f"a text file (starting {data[:16].decode('ascii')!r})"
