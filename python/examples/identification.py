"""Mass and damping of a swinging load from a log with noise, with confidence intervals."""

import numpy as np

import windlass as wl

scene = wl.Scene(settings={"dt": "1/240 s"})
scene.bodies["post"] = {"type": "static"}
scene.bodies["load"] = {"position": [2, 0, -4], "mass": "800 kg", "shape": {"sphere": {"radius": 0.4}}}
scene.joints["pivot"] = {"hinge": {"bodies": ["post", "load"], "at": [0, 0, 0], "axis": [0, -1, 0], "damping": 2000.0}}

log = wl.load(scene).log(20, ["joints.pivot.value", "joints.pivot.force.z"], every=0.1)
noise = np.random.default_rng(5)
data = {"time": log.time}
for name in log.names[1:]:
    data[name] = log[name] + noise.normal(0, 0.01 * log[name].std(), len(log.time))

found = wl.fit(scene, data, {"bodies.load.mass": "0.2..3 t", "joints.pivot.hinge.damping": (100.0, 10_000.0)})
for key, estimate in found.estimates.items():
    assert estimate.interval is not None
    low, high = estimate.interval
    print(f"{key}: {estimate.value:.4g} {estimate.unit or 'in SI units'}, 95 % interval {low:.4g} to {high:.4g}")
mass, damping = found["bodies.load.mass"], found["joints.pivot.hinge.damping"]
assert found.converged and abs(damping / 2000 - 1) < 0.02
assert abs(mass * (1000 if found.estimates["bodies.load.mass"].unit == "t" else 1) / 800 - 1) < 0.02
