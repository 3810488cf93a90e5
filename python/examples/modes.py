"""Frequencies and damping of a crane at rest, beside the closed form of its pendulum."""

import numpy as np

import windlass as wl
from windlass.examples import shipped

crane = shipped("learn/antisway.toml", speed="0 m/s")
for mode in wl.modes(crane):
    if mode.kind == "oscillating":
        moving = max(mode.shape, key=lambda name: mode.shape[name].energy)
        # adding 0 makes a rounded −0 a 0
        print(f"{mode.frequency:.4f} Hz, damping ratio {round(mode.damping_ratio, 4) + 0:.4f}, mostly {moving}")
frequencies = [mode.frequency for mode in wl.modes(crane) if mode.kind == "oscillating"]
# the trolley is held by its drive: a pendulum of 8 m
expected = np.sqrt(9.81 / 8.0) / 2 / np.pi
print(f"pendulum of 8 m: {expected:.4f} Hz")
assert min(abs(f / expected - 1) for f in frequencies) < 2e-3
