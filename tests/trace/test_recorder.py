"""Bulky topics leave a fingerprint in the recording."""

from __future__ import annotations

import zlib

from stressfield.bus.cdr import encode
from stressfield.bus.messages import StringMsg
from stressfield.trace import Fingerprint, Metadata, Recorder


def test_only_named_topics_are_fingerprinted() -> None:
    recorder = Recorder((), fingerprinted=("/bulky",))
    for topic in ("/bulky", "/plain"):
        recorder.record(topic, 1, 2, StringMsg("much"))
        recorder.record(topic, 3, 4, StringMsg("more"))
    trace = recorder.finish(Metadata())
    first, second = trace.topic("/bulky").messages
    assert isinstance(first, Fingerprint)
    assert isinstance(second, Fingerprint)
    data = encode(StringMsg("much"))
    assert (first.size, first.crc32) == (len(data), zlib.crc32(data))
    assert first.crc32 != second.crc32
    assert {type(message) for message in trace.topic("/plain").messages} == {StringMsg}
