"""A thousand cranes with loads of their own, driven by one array of inputs."""

import time

import numpy as np

import windlass as wl
from windlass.examples import shipped

WORLDS = 1000
batch = wl.Batch(shipped("learn/antisway.toml"), WORLDS)
masses = batch.expand("bodies.load.mass")
masses[:] = np.random.default_rng(1).choice([500.0, 1000.0, 2000.0, 4000.0], WORLDS)
batch.reset()

position = batch.bind("bodies.load.position")
batch.inputs[:, batch.input_names.index("travel")] = np.linspace(-2, 2, WORLDS)
begun = time.perf_counter()
batch.step(300)
seconds = time.perf_counter() - begun
print(f"{batch}: {WORLDS * 300 / seconds:,.0f} steps of a world per second")
assert np.isfinite(position).all() and (batch.status == 0).all()
# the largest rope angles belong to the fastest trolleys
assert position[0, 0] < -2 and position[-1, 0] > 2
