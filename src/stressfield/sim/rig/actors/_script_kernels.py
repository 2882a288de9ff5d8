"""Compiled scripts: actors that follow a route or open as a door, and how robots hold whoever walks into them."""

from __future__ import annotations

import math

from stressfield._kernels import kernel
from stressfield.arrays import Floats
from stressfield.sim.rig.actors._outline_kernels import (
    ACCEL,
    AX,
    AY,
    AYAW,
    AZ,
    BOX,
    COUNT,
    EVERY,
    FIRED,
    FIRST,
    HOLD,
    HOME_X,
    HOME_Y,
    HOME_YAW,
    LONG,
    LOOP,
    NEXT,
    PACE,
    PAUSE,
    PUSHES,
    RATE,
    RC,
    RFOOT,
    RLONG,
    RS,
    RWIDE,
    RX,
    RY,
    SEES,
    SHARE,
    SINCE,
    SLIDE,
    START,
    SWING,
    TALL,
    TRIGGERED,
    TURN_RATE,
    VX,
    VY,
    WAIT,
    WIDE,
    nearest_robot,
)

TOUCH_M = 1e-4
"""How deep an actor that walks into a robot stays in it: the contact shows, and hardly pushes."""
KEPT_M = 0.01
"""How far an actor that sees a robot stays away from it at least."""
SLIDING_M = 1e-9
"""Who slides along a robot comes no nearer but for rounding."""
WAITING_GAP_M = 0.3
"""Where a scripted actor that sees a robot in its way stops before it."""
HALVINGS = 16
STRAIGHT_RAD = 0.05
"""A box that points this well to where it goes drives on without a turn on the spot."""


@kernel
def plain_angle(angle: float) -> float:
    """The same direction, from -pi to pi."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


@kernel
def turned_to(yaw: float, wanted: float, most: float) -> float:
    """A heading that is turned towards another by at most so much."""
    off = plain_angle(wanted - yaw)
    return yaw + min(max(off, -most), most)


@kernel
def is_active(s: Floats, actor: Floats, time: float) -> bool:
    """Whether an actor was told to go, and its time has come."""
    return bool(time >= actor[START] and (actor[TRIGGERED] == 0.0 or s[FIRED] > 0.0))


@kernel
def arrive(s: Floats, actor: Floats) -> None:
    """At the point: wait, and then on to the next."""
    s[WAIT] = actor[PAUSE]
    s[NEXT] += 1.0
    if s[NEXT] >= actor[COUNT] and actor[LOOP] > 0.0:
        s[NEXT] = 0.0


@kernel
def goes_on(s: Floats, actor: Floats) -> bool:
    """Whether there is a point to go to, and no pause."""
    return bool(s[NEXT] < actor[COUNT] and s[WAIT] <= 0.0)


@kernel
def must_stop(s: Floats, actor: Floats) -> bool:
    """Whether it comes to rest at the point it goes to."""
    last = s[NEXT] + 1.0 >= actor[COUNT] and actor[LOOP] == 0.0
    return bool(last or actor[PAUSE] > 0.0)


@kernel
def free_ahead(s: Floats, actor: Floats, ux: float, uy: float, seen: Floats) -> float:
    """How far the way in a direction is free of robots, from the front of an actor on; rather too short than too long.

    A robot is in the way if the band that the actor passes over meets the rectangle about it along that direction. One
    that has come up beside the actor is not: it can be left behind.
    """
    free, overhead = math.inf, s[AZ] + actor[TALL]
    for n in range(len(seen)):
        if seen[n, RFOOT] >= overhead:
            continue
        wx, wy = seen[n, RX] - s[AX], seen[n, RY] - s[AY]
        ahead, across = wx * ux + wy * uy, wy * ux - wx * uy
        c, sn = abs(seen[n, RC] * ux + seen[n, RS] * uy), abs(seen[n, RS] * ux - seen[n, RC] * uy)
        long, wide = seen[n, RLONG], seen[n, RWIDE]
        half_ahead, half_across = c * long + sn * wide, sn * long + c * wide
        room, aside = ahead - half_ahead - actor[LONG], abs(across) - half_across - actor[WIDE]
        if ahead + half_ahead > 0.0 and aside < KEPT_M and not (room < -KEPT_M and aside > -KEPT_M):
            free = min(free, room)
    return free


@kernel
def held_back(s: Floats, actor: Floats, x: float, y: float, yaw: float, seen: Floats) -> tuple[float, bool]:
    """Which share of a move to a pose an actor makes before it touches a robot, and whether it is held at all.

    A move that does not go deeper is not held: who was touched can be left. Who pushes is held by robots that it sees:
    it shoves only what its driver knows nothing of.
    """
    if (actor[PUSHES] > 0.0 and actor[SEES] == 0.0) or len(seen) == 0:
        return 1.0, False
    overhead = s[AZ] + actor[TALL]
    limit = KEPT_M if actor[SEES] > 0.0 else -TOUCH_M
    after = nearest_robot(actor, seen, x, y, yaw, overhead)
    if after >= limit:
        return 1.0, False
    before = nearest_robot(actor, seen, s[AX], s[AY], s[AYAW], overhead)
    if after >= before - SLIDING_M:
        return 1.0, False
    low, high = 0.0, 1.0
    if before <= limit:
        return 0.0, True
    for _ in range(HALVINGS):
        half = 0.5 * (low + high)
        there = (s[AX] + half * (x - s[AX]), s[AY] + half * (y - s[AY]), s[AYAW] + half * (yaw - s[AYAW]))
        if nearest_robot(actor, seen, there[0], there[1], there[2], overhead) < limit:
            high = half
        else:
            low = half
    # The side that touches, for who does not see: a contact must show.
    return (low, True) if actor[SEES] > 0.0 else (high, True)


@kernel
def follow(s: Floats, actor: Floats, points: Floats, time: float, dt: float, seen: Floats) -> None:
    """A step of an actor with a script: along its points, slower before a stop, held by robots."""
    x, y, yaw = s[AX], s[AY], s[AYAW]
    if s[WAIT] > 0.0:
        s[WAIT] -= dt
    left = dt
    for _ in range(8):  # points may be nearer to each other than a step
        if not (is_active(s, actor, time) and goes_on(s, actor)):
            s[RATE] = 0.0
            break
        k = int(actor[FIRST] + s[NEXT])
        dx, dy = points[k, 0] - x, points[k, 1] - y
        away = math.sqrt(dx * dx + dy * dy)
        if away < 1e-9:
            arrive(s, actor)
            continue
        ux, uy = dx / away, dy / away
        heading = math.atan2(uy, ux)
        if actor[BOX] > 0.0:
            after = turned_to(yaw, heading, actor[TURN_RATE] * left)
            yaw = after
            if abs(plain_angle(heading - after)) > STRAIGHT_RAD:
                s[RATE] = 0.0
                break
        else:
            yaw = turned_to(yaw, heading, actor[TURN_RATE] * left)
        fastest = actor[PACE]
        stops = must_stop(s, actor) or actor[BOX] > 0.0
        if stops:
            fastest = min(fastest, math.sqrt(2.0 * actor[ACCEL] * away))
        if actor[SEES] > 0.0:
            room = free_ahead(s, actor, ux, uy, seen) - WAITING_GAP_M
            fastest = min(fastest, math.sqrt(2.0 * actor[ACCEL] * max(room - actor[PACE] * dt, 0.0)))
        rate = min(s[RATE] + actor[ACCEL] * left, max(fastest, 0.0))
        if stops:
            rate = max(rate, min(1e-3, away / left))  # the last millimetres in some time
        if actor[SEES] > 0.0 and fastest == 0.0:
            rate = 0.0
        s[RATE] = rate
        step = rate * left
        if step < away:
            x, y = x + ux * step, y + uy * step
            break
        x, y = points[k, 0], points[k, 1]
        left -= away / rate
        arrive(s, actor)
        if stops:
            s[RATE] = 0.0
        if left <= 1e-9:
            break
    share, held = held_back(s, actor, x, y, yaw, seen)
    if held:
        x, y, yaw = s[AX] + share * (x - s[AX]), s[AY] + share * (y - s[AY]), s[AYAW] + share * (yaw - s[AYAW])
        s[RATE] = 0.0
    s[VX], s[VY] = (x - s[AX]) / dt, (y - s[AY]) / dt
    s[AX], s[AY], s[AYAW] = x, y, plain_angle(yaw)


@kernel
def open_door(s: Floats, actor: Floats, time: float, dt: float, seen: Floats) -> None:
    """A step of a door: open while there is a cause and for a while after, closed otherwise; held by robots."""
    if time < actor[START]:
        wanted = 0.0
    elif actor[TRIGGERED] > 0.0:
        if s[FIRED] > 0.0:
            s[SINCE] = time
        opened = s[SINCE] > -math.inf
        wanted = 1.0 if opened and (actor[HOLD] < 0.0 or time - s[SINCE] <= actor[HOLD]) else 0.0
    else:
        since = time - actor[START]
        if actor[EVERY] > 0.0:
            since = since % actor[EVERY]
        wanted = 1.0 if actor[HOLD] < 0.0 or since <= actor[HOLD] else 0.0
    way = abs(actor[SLIDE]) + abs(actor[SWING]) * 2.0 * actor[LONG]
    away = (wanted - s[SHARE]) * way
    fastest = min(actor[PACE], math.sqrt(2.0 * actor[ACCEL] * abs(away)))
    rate = math.copysign(fastest, away) if away != 0.0 else 0.0
    rate = min(max(rate, s[RATE] - actor[ACCEL] * dt), s[RATE] + actor[ACCEL] * dt)
    share = min(max(s[SHARE] + rate * dt / way, 0.0), 1.0)
    if abs(share - wanted) * way < 1e-3:
        share, rate = wanted, 0.0
    x, y, yaw = door_pose(actor, share)
    part, held = held_back(s, actor, x, y, yaw, seen)
    if held:
        share, rate = s[SHARE] + part * (share - s[SHARE]), 0.0
        x, y, yaw = door_pose(actor, share)
    s[SHARE], s[RATE] = share, rate
    s[VX], s[VY] = (x - s[AX]) / dt, (y - s[AY]) / dt
    s[AX], s[AY], s[AYAW] = x, y, yaw


@kernel
def door_pose(actor: Floats, share: float) -> tuple[float, float, float]:
    """Where a door is that is open by a share."""
    c, sn = math.cos(actor[HOME_YAW]), math.sin(actor[HOME_YAW])
    if actor[SWING] == 0.0:
        by = share * actor[SLIDE]
        return actor[HOME_X] + by * c, actor[HOME_Y] + by * sn, actor[HOME_YAW]
    yaw = actor[HOME_YAW] + share * actor[SWING]
    x, y = actor[HOME_X] - actor[LONG] * c, actor[HOME_Y] - actor[LONG] * sn
    return x + actor[LONG] * math.cos(yaw), y + actor[LONG] * math.sin(yaw), yaw
