"""The period of a pendulum over its amplitude, beside the closed form with an elliptic integral."""

import numpy as np

import windlass as wl


def closed_form(amplitude: float, length: float = 1.0, gravity: float = 9.81) -> float:
    """T = 4 √(L/g) K(sin(a/2)), with K by the arithmetic–geometric mean."""
    a, b = 1.0, np.cos(amplitude / 2)
    for _ in range(20):
        a, b = (a + b) / 2, np.sqrt(a * b)
    return float(2 * np.pi * np.sqrt(length / gravity) / a)


def measured(amplitude: float) -> float:
    scene = wl.Scene(settings={"dt": "1 ms"})
    scene.bodies["post"] = {"type": "static"}
    scene.bodies["bob"] = {
        "position": [float(np.sin(amplitude)), 0, float(-np.cos(amplitude))],
        "mass": 1,
        "shape": {"sphere": {"radius": 1e-3}},
    }
    scene.joints["pivot"] = {"hinge": {"bodies": ["post", "bob"], "at": [0, 0, 0], "axis": [0, -1, 0]}}
    log = wl.load(scene).log(4, ["bodies.bob.position.x"])
    x, t = log["bodies.bob.position.x"], log.time
    k = np.flatnonzero((x[:-1] > 0) & (x[1:] <= 0))[:2]
    falls = t[k] + x[k] * (t[k + 1] - t[k]) / (x[k] - x[k + 1])
    return float(falls[1] - falls[0])


for degrees in (10, 45, 90):
    amplitude = float(np.radians(degrees))
    period, expected = measured(amplitude), closed_form(amplitude)
    print(f"{degrees:3d}°: {period:.5f} s, closed form {expected:.5f} s")
    assert abs(period / expected - 1) < 1e-4
