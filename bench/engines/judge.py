"""A run -> whether it is stable and how true it stayed. The same numbers for every engine.

A run is an array [frame, body, 13]: place of the centre of mass, quaternion w x y z, velocity, angular velocity, all in the
world. Cables that are made of something else than bodies hand over rows of nodes and energy instead, from the start on.
"""

import math

import numpy as np

from scenes import G, WORLD

RISE = 5.0  # energy may stand this much of the drop above the start [%]
STRETCH = 1.0  # of a hoist cable [%]
GAP = 0.05  # of a joint elsewhere [m]


def rotation(q):
    w, x, y, z = np.moveaxis(q / np.linalg.norm(q, axis=-1, keepdims=True), -1, 0)
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), (0, 1), (-2, -1))


def start(scene):
    run = np.zeros((1, len(scene.bodies), 13))
    run[0, :, :3] = [b.at for b in scene.bodies]
    run[0, :, 3:7] = [b.turn for b in scene.bodies]
    return run


def energy(scene, run):
    mass = np.array([b.mass for b in scene.bodies])
    inertia = np.array([b.inertia for b in scene.bodies])
    spin = np.einsum("tbij,tbi->tbj", rotation(run[..., 3:7]), run[..., 10:13])
    kinetic = 0.5 * (mass * (run[..., 7:10] ** 2).sum(-1)).sum(1) + 0.5 * (inertia * spin**2).sum((1, 2))
    return kinetic + (mass * G * run[..., 2]).sum(1)


def anchors(scene, run):
    """Where the two sides of every joint are: two arrays [frame, joint, 3]."""
    turn, first = rotation(run[..., 3:7]), start(scene)[0]
    back = np.swapaxes(rotation(first[:, 3:7]), -1, -2)

    def side(body, at):
        if body == WORLD:
            return np.broadcast_to(at, (len(run), 3))
        return run[:, body, :3] + turn[:, body] @ (back[body] @ (at - first[body, :3]))

    return [np.stack([side(body, j.at) for j, body in zip(scene.joints, bodies)], 1)
            for bodies in ([j.a for j in scene.joints], [j.b for j in scene.joints])]


def whole(values):
    """How many rows from the start are numbers within reason."""
    bad = ~(np.abs(np.nan_to_num(values.reshape(len(values), -1), nan=1e30)) < 1e6).all(1)
    return int(np.argmax(bad)) if bad.any() else len(values)


def swing(times, tip):
    """Period from the first three passes through the lowest point."""
    angle = np.arctan2(tip[:, 1], -tip[:, 2])
    k = np.where(angle[:-1] * angle[1:] < 0)[0]
    at = times[k] + (times[k + 1] - times[k]) * angle[k] / (angle[k] - angle[k + 1])
    return at[2] - at[0] if len(at) > 2 else (2 * (at[1] - at[0]) if len(at) == 2 else math.nan)


def energies(out, scene, all_energy):
    part = (all_energy - all_energy[0]) / scene.drop * 100
    out.update(rise=float(part.max()), fall=float(part.min()), end=float(part[-1]))


def verdict(out, sound, steps, asked):
    """Stable, not, or None: the time ran out and all was well so far."""
    out["stable"] = bool(sound) if not sound or steps >= asked - 2 else None
    return out


def hoist(out, scene, times, length, tip, sound, steps, asked):
    out["stretch"] = float((length.max() / scene.length - 1) * 100)
    out["period"] = (swing(times, tip) / scene.period - 1) * 100
    return verdict(out, sound and out["stretch"] < STRETCH and out["rise"] < RISE, steps, asked)


def judge(scene, interval, run, steps, asked):
    """Of a run of bodies with one row each `interval` seconds; `steps` were made of the `asked` ones."""
    all_rows = np.concatenate([start(scene), run])
    rows = whole(all_rows[..., :3])
    # a run that left all reason is not stable; where it went does not matter
    run, sound, out = all_rows[:rows], rows == len(all_rows) and bool(np.isfinite(all_rows).all()), {}
    times = np.arange(rows) * interval
    if scene.kind == "boxes":
        rest(out, run)
        return verdict(out, sound and out["rests"], steps, asked)
    with np.errstate(all="ignore"):
        a, b = anchors(scene, run)
        gaps = np.linalg.norm(a - b, axis=-1)
        out["gap"] = float(np.nanmax(gaps)) * 1e3
        total = energy(scene, run)
        if scene.cable:
            return cable(scene, interval, (a + b) / 2, total, steps, asked, sound)
        energies(out, scene, total)
    if scene.kind == "hoist":
        tip = run[:, -1, :3]
        length = np.maximum(scene.length + gaps.sum(1), np.linalg.norm(tip, axis=1))
        return hoist(out, scene, times, length, tip, sound, steps, asked)
    return verdict(out, sound and out["gap"] < GAP * 1e3 and out["rise"] < RISE, steps, asked)


def cable(scene, interval, nodes, total, steps, asked, sound=True):
    """Of an elastic hoist cable: nodes [frame, node, 3] and energies without that of its stretch, both from the start on."""
    rows = min(whole(nodes), whole(total / scene.drop))
    sound = sound and rows == len(nodes)
    nodes, total = nodes[:rows], total[:rows]
    length = np.linalg.norm(np.diff(nodes, axis=1), axis=-1).sum(1)
    stretched, out = np.maximum(length - scene.length, 0), {}
    energies(out, scene, total + 0.5 * scene.cable.stretch * stretched**2 / scene.length)
    return hoist(out, scene, np.arange(rows) * interval, length, nodes[:, -1], sound, steps, asked)


def rest(out, run):
    """Of boxes on each other: sinking and sliding at the end, depth, speed in the last half second."""
    first, last = run[0, :, :3], run[-1, :, :3]
    floors = np.concatenate([np.full((len(run), 1), -0.5), run[:, :, 2]], 1)
    out["sinks"] = float(np.abs(last[:, 2] - first[:, 2]).max() * 1e3)
    out["slides"] = float(np.linalg.norm(last[:, :2] - first[:, :2], axis=1).max() * 1e3)
    out["depth"] = float(max(0.0, -(np.diff(floors, axis=1) - 1).min()) * 1e3)
    out["speed"] = float(np.linalg.norm(run[-30:, :, 7:10], axis=-1).max())
    out["rests"] = out["sinks"] < 50 and out["slides"] < 50 and out["speed"] < 0.01
