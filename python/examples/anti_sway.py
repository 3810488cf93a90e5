"""A controller in Python: the trolley yields to the sway of its load, so that the sway dies out."""

import numpy as np

from windlass.examples import shipped


def largest_sway(gain: float) -> float:
    crane = shipped("learn/antisway.toml")
    goal, largest = 8.0, 0.0
    while crane.time < 40:
        trolley, load = crane.bodies["trolley"], crane.bodies["load"]
        behind = load.position[0] - trolley.position[0]
        rate = load.velocity[0] - trolley.velocity[0]
        crane["travel"] = 0.25 * (goal - trolley.position[0]) + gain * behind + 0.3 * gain * rate
        crane.step(3)
        if crane.time > 30:
            largest = max(largest, abs(behind))
    print(f"gain {gain}: trolley at {trolley.position[0]:.2f} m, largest sway after 30 s {1e3 * largest:.1f} mm")
    return largest


without, with_it = largest_sway(0.0), largest_sway(0.3)
assert with_it < 0.2 * without
assert np.isfinite(with_it)
