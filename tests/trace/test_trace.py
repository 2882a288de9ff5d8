"""What a trace answers, and how it is collected."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest

from stressfield.bus import messages as std
from stressfield.bus.cdr import encode
from stressfield.bus.message import Message
from stressfield.errors import TraceError
from stressfield.sim.simulator import TRUTH_COLUMNS
from stressfield.trace import COLUMNS, Keep, Metadata, Recorder, Trace, Truth
from stressfield.trace._layout import layout_of
from stressfield.trace._payloads import encode_all


def test_columns_are_those_of_simulators() -> None:
    assert COLUMNS == TRUTH_COLUMNS


def test_batch_encoding_equals_the_plain_encoder(trace: Trace) -> None:
    for topic in trace.topics.values():
        assert topic.payloads.items() == [encode(message) for message in topic.messages], topic.name


def test_batch_encoding_groups_messages_of_different_shapes() -> None:
    rng = random.Random(1)
    arrays = [np.arange(rng.randrange(3), dtype=np.float64) for _ in range(60)]
    messages: list[Message] = [
        std.JointState(std.Header(std.Time(i, i), rng.choice(["a", "bb"])), ("w",) * rng.randrange(3), a, a, a)
        for i, a in enumerate(arrays)
    ]
    assert encode_all(std.JointState, messages).items() == [encode(message) for message in messages]


def test_batch_encoding_refuses_what_does_not_fit() -> None:
    pose = std.Pose(std.Point(), std.Quaternion())
    good = std.PoseWithCovariance(pose)
    with pytest.raises(TraceError, match="PoseWithCovariance message cannot be encoded"):
        encode_all(std.PoseWithCovariance, [good] * 10 + [std.PoseWithCovariance(pose, (1.0,))])
    with pytest.raises(TraceError, match="Time message cannot be encoded"):
        encode_all(std.Time, [std.Time(0, 0)] * 10 + [std.Time(0, -1)])


def test_layout_knows_each_number(trace: Trace) -> None:
    layout = layout_of(std.JointState, encode(trace.topic("/wheel_cmd").messages[0]))
    assert list(layout.slots) == ["header.stamp.sec", "header.stamp.nanosec", "velocity"]


def test_column_follows_attributes_and_indices(trace: Trace) -> None:
    times, left = trace.column("/wheel_cmd", "velocity.0")
    messages = trace.topic("/wheel_cmd").messages
    assert left.tolist() == [message.velocity[0] for message in messages]  # type: ignore[attr-defined]
    assert times.tolist() == [ns / 1e9 for ns in trace.topic("/wheel_cmd").log_time_ns.tolist()]
    assert trace.column("/odom", "pose.pose.position.x")[1].dtype == np.float64
    assert trace.column("/silent", "data")[1].size == 0


def test_unknown_names_are_explained(trace: Trace) -> None:
    with pytest.raises(TraceError, match=r"No topic '/odm' in the trace\. Recorded: /odom, .*Did you mean '/odom'\?"):
        trace.topic("/odm")
    with pytest.raises(TraceError, match=r"No truth of robot 'os' in the trace\. Observed: oz\. Did you mean 'oz'\?"):
        trace.truth("os")
    with pytest.raises(TraceError, match=r"no number at 'velocty\.0' .* Did you mean 'velocity'\?"):
        trace.column("/wheel_cmd", "velocty.0")
    for path in ("velocity.7", "velocity", "name.0", "header", ""):
        with pytest.raises(TraceError, match="has no number at"):
            trace.column("/wheel_cmd", path)


def test_truth_by_name() -> None:
    values = np.arange(2 * len(COLUMNS), dtype=np.float64).reshape(2, -1)
    truth = Truth(np.array([0, 500_000_000]), values)
    assert truth.time_s.tolist() == [0.0, 0.5]
    for place, name in enumerate(COLUMNS):
        if not name.startswith("q"):
            assert getattr(truth, name).tolist() == values[:, place].tolist()
    assert truth.quaternion.tolist() == values[:, 3:7].tolist()


def test_yaw() -> None:
    values = np.zeros((1, len(COLUMNS)))
    values[0, 5:7] = np.sin(0.6), np.cos(0.6)
    assert Truth(np.zeros(1, np.int64), values).yaw_rad == pytest.approx([1.2])


def test_digest_sees_every_part(trace: Trace, runs: object) -> None:
    assert trace.digest() == runs.oz_run().digest()  # type: ignore[attr-defined]
    assert trace.digest() != runs.oz_run(seed=2).digest()  # type: ignore[attr-defined]
    assert trace.digest() == dataclasses.replace(trace, metadata=Metadata()).digest()
    for name in trace.topics:
        rest = {key: topic for key, topic in trace.topics.items() if key != name}
        assert dataclasses.replace(trace, topics=rest).digest() != trace.digest()
    assert dataclasses.replace(trace, robots={}).digest() != trace.digest()


def test_recorder_sorts_by_arrival_and_keeps_the_order_of_equals() -> None:
    recorder = Recorder([])
    for log_ns, data in ((5, "b"), (1, "a"), (5, "c")):
        recorder.record("/t", 0, log_ns, std.StringMsg(data))
    messages = recorder.finish(Metadata()).topic("/t").messages
    assert [message.data for message in messages] == ["a", "b", "c"]  # type: ignore[attr-defined]


def test_recorder_encodes_as_it_goes_and_the_trace_is_the_same() -> None:
    rng = random.Random(4)
    said = [
        (rng.randrange(5000), std.StringMsg(rng.choice(("a", "bb"))), std.Float64Msg(rng.random())) for _ in range(3000)
    ]
    at_once, bit_by_bit = Recorder(["oz"]), Recorder(["oz"])
    for recorder in (at_once, bit_by_bit):
        for step, (log_ns, text, number) in enumerate(said):
            recorder.record("/text", 0, log_ns, text)
            recorder.record("/number", 0, log_ns, number)
            if recorder is bit_by_bit:
                recorder.observe(step, np.zeros((1, len(COLUMNS))))
    whole, parts = at_once.finish(Metadata()), bit_by_bit.finish(Metadata())
    assert dataclasses.replace(parts, robots={}).digest() == dataclasses.replace(whole, robots={}).digest()
    ordered = sorted(said, key=lambda row: row[0])
    assert parts.topic("/number").column("data").tolist() == [number.data for _, _, number in ordered]
    assert [message.data for message in parts.topic("/text").messages] == [text.data for _, text, _ in ordered]  # type: ignore[attr-defined]


def test_what_encoding_would_round_is_judged_as_it_was_said() -> None:
    recorder = Recorder([])
    for log_ns in (2, 1):
        recorder.record("/drive", 0, log_ns, std.AckermannDriveMsg(speed=0.1 * log_ns))
    topic = recorder.finish(Metadata()).topic("/drive")
    assert topic.column("speed").tolist() == [0.1, 0.2]
    assert topic.payloads.items() == [encode(said) for said in topic.messages]


def test_a_topic_that_somebody_meant_to_use_is_not_in_the_trace() -> None:
    recorder = Recorder([])
    recorder.tap("/never")
    assert not recorder.finish(Metadata()).topics


def test_recorder_refuses_nonsense() -> None:
    recorder = Recorder(["oz"])
    with pytest.raises(TraceError, match=r"An observation has shape \(2, 11\), wanted \(1, 11\)"):
        recorder.observe(0, np.zeros((2, 11)))
    recorder.record("/t", 0, 0, std.StringMsg(""))
    with pytest.raises(TraceError, match=r"Topic '/t' carries messages of several types: BoolMsg, StringMsg"):
        recorder.record("/t", 0, 0, std.BoolMsg(True))
    assert len(recorder.finish(Metadata()).topic("/t")) == 1
    with pytest.raises(TraceError, match="finished already"):
        recorder.finish(Metadata())
    with pytest.raises(TraceError, match="came on '/t' after the recording was finished"):
        recorder.record("/t", 0, 0, std.StringMsg(""))
    late = Recorder([])
    late.record("/t", 0, -1, std.StringMsg(""))
    with pytest.raises(TraceError, match="run backwards or below zero"):
        late.finish(Metadata())
    reserved = Recorder([])
    reserved.record("/truth/oz/pose", 0, 0, std.StringMsg(""))
    with pytest.raises(TraceError, match="is reserved"):
        reserved.finish(Metadata())


def test_recorder_copies_observations() -> None:
    recorder = Recorder(["a", "b"])
    rows = np.zeros((2, len(COLUMNS)))
    for step in range(600):
        rows[:, 0] = step, -step
        recorder.observe(step, rows)
    trace = recorder.finish(Metadata())
    assert trace.truth("a").x_m.tolist() == list(range(600))
    assert trace.truth("b").x_m[-1] == -599.0
    assert trace.end_time_ns == 599


@pytest.mark.parametrize(("keep", "failed", "wanted"), [
    (Keep.ALL, False, True), (Keep.ALL, True, True), (Keep.FAILING, False, False),
    (Keep.FAILING, True, True), (Keep.NONE, True, False),
])  # fmt: skip
def test_keep(keep: Keep, failed: bool, wanted: bool) -> None:
    assert keep.wants(failed=failed) is wanted
