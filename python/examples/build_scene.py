"""A scene made in Python: a chain of n links with a load, its static tension, and its file."""

import tempfile
from pathlib import Path

import windlass as wl

LINKS, LOAD = 8, 500.0

scene = wl.Scene(title="Chain", settings={"dt": "1/240 s", "collide": False})
scene.bodies["hook"] = {"type": "static"}
before = "hook"
for k in range(LINKS):
    link = f"link{k + 1}"
    scene.bodies[link] = {
        "position": [0, 0, -0.25 - 0.5 * k],
        "mass": "2 kg",
        "shape": {"cylinder": {"radius": "2 cm", "length": 0.5}},
    }
    scene.joints[f"pin{k + 1}"] = {"ball": {"bodies": [before, link], "at": [0, 0, -0.5 * k]}}
    before = link
scene.bodies["load"] = {"position": [0, 0, -0.5 * LINKS - 0.5], "mass": LOAD, "shape": {"sphere": {"radius": 0.3}}}
scene.joints["eye"] = {"ball": {"bodies": [before, "load"], "at": [0, 0, -0.5 * LINKS]}}

chain = wl.load(scene)
chain.run(1)
force = chain.read("joints.pin1.force.z")
weight = (LOAD + 2 * LINKS) * 9.81
print(f"force on the first link {abs(force):.1f} N, weight below {weight:.1f} N")
assert abs(abs(force) / weight - 1) < 1e-6

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "chain.toml"
    scene.save(path)
    again = wl.load(path)
    again.run(1)
    assert again.state == chain.state
