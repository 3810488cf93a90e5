"""Linear models against closed forms; fits of data with known parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import windlass as wl

GRAVITY = 9.81

#: A scene, and A and B of its linear model in closed form.
System = Callable[[], tuple[wl.Scene, np.ndarray, np.ndarray]]


def pendulum(angle: float = 0.0, dt: str = "1 ms") -> wl.Scene:
    """A sphere of 2 kg on a rod of 1.5 m, with damping of 0.3 N·m·s.

    The damper of a joint is of second order in dt while dt times its coefficient is small against the inertia of the body
    itself, 0.2 kg·m² here. With a point mass it would be of first order.
    """
    scene = wl.Scene(settings={"dt": dt, "gravity": [0, 0, -GRAVITY]})
    scene.bodies["post"] = {"type": "static"}
    position = [1.5 * math.sin(angle), 0, -1.5 * math.cos(angle)]
    scene.bodies["bob"] = {"position": position, "mass": 2, "shape": {"sphere": {"radius": 0.5}}}
    hinge = {"bodies": ["post", "bob"], "at": [0, 0, 0], "axis": [0, -1, 0], "damping": 0.3}
    scene.joints["pivot"] = {"hinge": hinge}
    return scene


def two_masses() -> tuple[wl.Scene, np.ndarray, np.ndarray]:
    """Two masses on springs. The input moves the far end of the first spring. The second coordinate is relative."""
    m1, m2, k1, k2, c2 = 2.0, 3.0, 50.0, 80.0, 0.7
    scene = wl.Scene(settings={"gravity": [0, 0, 0]})
    scene.bodies["rail"] = {"type": "static"}
    scene.bodies["near"] = {"mass": m1, "inertia": [1, 1, 1]}
    scene.bodies["far"] = {"mass": m2, "inertia": [1, 1, 1], "position": [1, 0, 0]}
    servo = {"target": 0, "stiffness": k1}
    scene.joints["near"] = {"slider": {"bodies": ["rail", "near"], "axis": [1, 0, 0], "servo": servo}}
    spring = {"stiffness": k2, "damping": c2}
    scene.joints["far"] = {"slider": {"bodies": ["near", "far"], "axis": [1, 0, 0], "spring": spring}}
    scene.inputs["u"] = {"range": [-1, 1], "drives": [{"joint": "near"}]}
    # accelerations of x₁ and of s = x₂ − x₁ over (x₁, s, ẋ₁, ṡ, u)
    first = np.array([-k1, k2, 0, c2, k1]) / m1
    second = np.array([0, -k2, 0, -c2, 0]) / m2 - first
    whole = np.array([[0, 0, 1, 0, 0], [0, 0, 0, 1, 0], first, second])
    return scene, whole[:, :4], whole[:, 4:]


def cart_pole() -> tuple[wl.Scene, np.ndarray, np.ndarray]:
    """A cart on a spring whose far end the input moves, with a pole that stands on it."""
    cart, pole, length, inertia, k, c, d = 5.0, 0.8, 0.6, 0.04, 30.0, 1.2, 0.05
    scene = wl.Scene(settings={"gravity": [0, 0, -GRAVITY]})
    scene.bodies["rail"] = {"type": "static"}
    scene.bodies["cart"] = {"mass": cart, "inertia": [1, 1, 1]}
    scene.bodies["pole"] = {"mass": pole, "inertia": [inertia] * 3, "position": [0, 0, length]}
    servo = {"target": 0, "stiffness": k, "damping": c}
    scene.joints["cart"] = {"slider": {"bodies": ["rail", "cart"], "axis": [1, 0, 0], "servo": servo}}
    hinge = {"bodies": ["cart", "pole"], "at": [0, 0, 0], "axis": [0, 1, 0], "damping": d}
    scene.joints["pole"] = {"hinge": hinge}
    scene.inputs["u"] = {"range": [-1, 1], "drives": [{"joint": "cart"}]}
    # (M + m) ẍ + m l θ̈ = k (u − x) − c ẋ,   m l ẍ + (I + m l²) θ̈ = m g l θ − d θ̇
    mass = np.array([[cart + pole, pole * length], [pole * length, inertia + pole * length**2]])
    forces = np.array([[-k, 0, -c, 0, k], [0, pole * GRAVITY * length, 0, -d, 0]])
    whole = np.vstack([np.eye(5)[2:4], np.linalg.solve(mass, forces)])
    return scene, whole[:, :4], whole[:, 4:]


def damped_pendulum() -> tuple[wl.Scene, np.ndarray, np.ndarray]:
    """The pendulum of above at rest; it has no input."""
    inertia = 2 * (1.5**2 + 0.4 * 0.5**2)
    return pendulum(), np.array([[0, 1], [-2 * GRAVITY * 1.5 / inertia, -0.3 / inertia]]), np.zeros((2, 0))

def test_a_and_its_modes_are_those_of_the_pendulum() -> None:
    lin = wl.linearize(wl.load(pendulum()), outputs=["joints.pivot.value"])
    assert lin.states == ["joints.pivot.value", "joints.pivot.speed"]
    inertia = 2 * (1.5**2 + 0.4 * 0.5**2)
    omega2, damping = 2 * GRAVITY * 1.5 / inertia, 0.3 / inertia
    model = lin.continuous()
    expected = np.array([[0, 1], [-omega2, -damping]])
    assert model.A == pytest.approx(expected, abs=1e-5), "second order in dt: 1 ms"
    (mode,) = [m for m in lin.modes() if m.kind == "oscillating"]
    assert mode.frequency == pytest.approx(math.sqrt(omega2 - damping**2 / 4) / 2 / math.pi, rel=1e-5)
    assert mode.damping_ratio == pytest.approx(damping / 2 / math.sqrt(omega2), rel=1e-4)
    assert np.abs(mode.shape["bob"].displacement).argmax() == 0
    assert lin.C == pytest.approx(np.array([[1, 0]]), abs=1e-9)


def continuous(scene: wl.Scene, integrator: str, dt: float, inputs: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """A and B in continuous time with an integrator and a time step."""
    more = {"tolerance": 1e-11} if integrator == "dormand-prince" else {}
    scene.settings.update(dt=dt, integrator=integrator, **more)
    model = wl.linearize(wl.load(scene), inputs).continuous()
    return model.A, model.B


SYSTEMS = [damped_pendulum, two_masses, cart_pole]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_and_b_are_those_of_closed_forms(system: System) -> None:
    scene, a, b = system()
    inputs = list(scene.inputs)
    for integrator in ("projected", "dormand-prince"):
        found = continuous(scene, integrator, 1e-3, inputs)
        assert found[0] == pytest.approx(a, abs=1e-7), integrator
        assert found[1] == pytest.approx(b, abs=1e-7), integrator
    scene.settings.pop("tolerance")
    # spook is of second order in dt: extrapolated to dt = 0 from two time steps
    coarse, fine = (continuous(scene, "spook", dt, inputs) for dt in (1e-3, 5e-4))
    for expected, two, one in zip((a, b), coarse, fine, strict=True):
        assert two == pytest.approx(expected, abs=2e-3)
        assert (4 * one - two) / 3 == pytest.approx(expected, abs=1e-7)


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
