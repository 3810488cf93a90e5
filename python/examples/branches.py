"""A recording, and what would have happened with a heavier load from its middle on."""

import tempfile
from pathlib import Path

import windlass as wl
from windlass.examples import shipped

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "lift.wlr"
    crane = shipped("crane/operated.toml")
    crane.run(20, record=path)
    recording = wl.open(path)
    print(recording)

    same = recording.at(10)
    same.run(10)
    assert same.state == crane.state, "the same steps have the same bits"

    heavy = recording.at(10)
    heavy.set("bodies.load.mass", "4 t")
    heavy.run(10)
    pulls = [simulation.read("joints.hoist.tension") for simulation in (same, heavy)]
    print(f"tension at 20 s: {pulls[0] / 1e3:.1f} kN with 2 t, {pulls[1] / 1e3:.1f} kN with 4 t")
    assert pulls[1] > 1.5 * pulls[0]
