"""A thousand lifts with loads that are not known well: how often is the rope's force beyond its limit?"""

import numpy as np

import windlass as wl
from windlass.examples import write

scene = write("learn/antisway.toml")
table = wl.sweep(
    scene,
    {"bodies.load.mass": "~normal(2 t, 200 kg)", "parameters.speed": "~uniform(0.5 m/s, 2 m/s)"},
    ["pull=max(joints.hoist.tension)", "sway=max(bodies.load.position.x)"],
    samples=1000,
    method="latin-hypercube",
    seed=1,
    duration=6.0,
)
pull = table["pull"][table.ok]
beyond = float((pull > 24e3).mean())
print(f"{table.ok.sum()} lifts: mean {pull.mean() / 1e3:.2f} kN, beyond 24 kN in {100 * beyond:.1f} %")
# the force is nearly the weight: normal with a standard deviation of 10 %
weight = table["bodies.load.mass"][table.ok] * 9.81
assert np.corrcoef(pull, weight)[0, 1] > 0.95
assert (pull >= 0.999 * weight).all()
