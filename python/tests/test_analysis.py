"""Linear models against closed forms; fits of data with known parameters."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import windlass as wl

GRAVITY = 9.81


def pendulum(angle: float = 0.0, dt: str = "1 ms") -> wl.Scene:
    """A point of 2 kg on a rod of 1.5 m, with damping of 0.3 N·m·s."""
    scene = wl.Scene(settings={"dt": dt, "gravity": [0, 0, -GRAVITY]})
    scene.bodies["post"] = {"type": "static"}
    position = [1.5 * math.sin(angle), 0, -1.5 * math.cos(angle)]
    scene.bodies["bob"] = {"position": position, "mass": 2, "shape": {"sphere": {"radius": 1e-3}}}
    hinge = {"bodies": ["post", "bob"], "at": [0, 0, 0], "axis": [0, -1, 0], "damping": 0.3}
    scene.joints["pivot"] = {"hinge": hinge}
    return scene


def test_a_and_its_modes_are_those_of_the_pendulum() -> None:
    lin = wl.linearize(wl.load(pendulum()), outputs=["joints.pivot.value"])
    assert lin.states == ["joints.pivot.value", "joints.pivot.speed"]
    inertia = 2 * (1.5**2 + 0.4e-6)
    omega2, damping = 2 * GRAVITY * 1.5 / inertia, 0.3 / inertia
    model = lin.continuous()
    expected = np.array([[0, 1], [-omega2, -damping]])
    assert model.A == pytest.approx(expected, abs=1e-5), "second order in dt: 1 ms"
    (mode,) = [m for m in lin.modes() if m.kind == "oscillating"]
    assert mode.frequency == pytest.approx(math.sqrt(omega2 - damping**2 / 4) / 2 / math.pi, rel=1e-5)
    assert mode.damping_ratio == pytest.approx(damping / 2 / math.sqrt(omega2), rel=1e-4)
    assert np.abs(mode.shape["bob"].displacement).argmax() == 0
    assert lin.C == pytest.approx(np.array([[1, 0]]), abs=1e-9)


def test_inputs_of_the_crane_move_it(crane: Path) -> None:
    lin = wl.linearize(wl.load(crane), ["travel"], ["bodies.load.position.x"])
    assert lin.B.shape == (len(lin.states), 1) and lin.inputs == ["travel"] and np.abs(lin.B).max() > 0
    with pytest.raises(ValueError, match="travel"):
        wl.linearize(wl.load(crane), ["travle"])
    with pytest.raises(wl.ProbeError):
        wl.linearize(wl.load(crane), [], ["bodies.lod.position"])


def test_trim_finds_where_the_pendulum_hangs() -> None:
    simulation = wl.load(pendulum(0.4))
    found = wl.trim(simulation)
    # the coordinate is counted from where the scene starts
    assert found.coordinates["joints.pivot.value"] == pytest.approx(-0.4, abs=1e-8)
    simulation.state = found.state
    simulation.run(1)
    assert abs(simulation.read("joints.pivot.speed")) < 1e-7


def test_fit_finds_mass_and_damping_of_noisy_data() -> None:
    random = np.random.default_rng(2)
    scene = pendulum(0.5, dt="1/240 s")
    log = wl.load(scene).log(6, ["joints.pivot.value"], every=0.05)
    data = {"time": log.time, "joints.pivot.value": log["joints.pivot.value"] + random.normal(0, 0.005, len(log.time))}
    found = wl.fit(scene, data, {"joints.pivot.hinge.damping": (0.05, 1.0)})
    estimate = found.estimates["joints.pivot.hinge.damping"]
    assert found.converged and estimate.value == pytest.approx(0.3, rel=0.02)
    assert estimate.interval is not None and estimate.interval[0] < 0.3 < estimate.interval[1]
    # mass and damping act by their ratio alone
    both = wl.fit(scene, data, {"joints.pivot.hinge.damping": (0.05, 1.0), "bodies.bob.mass": "0.5..4 kg"})
    assert both.indistinct and set(both.indistinct[0][0]) == {"joints.pivot.hinge.damping", "bodies.bob.mass"}
    with pytest.raises(ValueError, match='column "time"'):
        wl.fit(scene, {"joints.pivot.value": [1.0]}, {"bodies.bob.mass": (1.0, 2.0)})
