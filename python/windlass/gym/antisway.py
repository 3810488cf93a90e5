"""AntiSway: a trolley carries a load to a place and leaves it hanging still.

The closed-form baseline accelerates for one period of the pendulum: a constant acceleration over a whole period leaves no
sway, ∫ a sin ω(T − τ) dτ = 0 for T = 2π/ω.
"""

from __future__ import annotations

import math

import numpy as np

from windlass.batch import Batch
from windlass.examples import shipped
from windlass.gym.task import Array, Mask, Task
from windlass.simulation import Simulation

#: Length of the rope of the scene [m], and gravity [m/s²].
LENGTH, GRAVITY = 8.0, 9.81
#: Largest speed of the trolley [m/s].
SPEED = 2.0
#: Goals are this far from the start [m].
NEAR, FAR = 3.0, 15.0


class AntiSway(Task):
    """Observations: distance to the goal [m], speed of the trolley [m/s], sway [rad] and its rate [rad/s].

    Action: target speed of the trolley, -1 to 1 for ±2 m/s. Reward per action: −0.1 · min(|distance|/5 m, 1) − sway²
    − 0.1 · rate², and 10 at the end if the trolley is within 5 cm of the goal with less than 0.05 m/s and the load sways by
    less than 0.01 rad and 0.01 rad/s: then the episode ends. Masses of 0.5 to 4 t and goals of 3 to 15 m on either side are drawn.
    """

    horizon = 600
    observations = ("distance [m]", "speed [m/s]", "sway [rad]", "sway rate [rad/s]")
    observation_range = (np.array([-60.0, -10.0, -7.0, -50.0]), np.array([60.0, 10.0, 7.0, 50.0]))
    actions = ("travel",)

    def scene(self) -> Simulation:
        """The scene."""
        return shipped("learn/antisway.toml")

    def begin(self, batch: Batch) -> None:
        """Binds positions and velocities of trolley and load."""
        self.trolley = batch.bind("bodies.trolley.position.x", "bodies.trolley.position.z", "bodies.trolley.velocity.x")
        self.load = batch.bind("bodies.load.position.x", "bodies.load.position.z", "bodies.load.velocity.x", "bodies.load.velocity.z")
        self.goals = np.zeros(len(batch))
        self.starts = np.zeros(len(batch))
        self.masses = batch.expand("bodies.load.mass")

    def draw(self, batch: Batch, world: int, random: np.random.Generator) -> None:
        """A goal and a mass."""
        self.goals[world] = random.uniform(NEAR, FAR) * random.choice([-1.0, 1.0])
        # few different masses, so that a world is seldom built again
        self.masses[world] = float(random.choice([500.0, 1000.0, 2000.0, 4000.0]))

    def observe(self, batch: Batch) -> Array:
        """Distance, speed, sway and its rate."""
        x, z, speed = self.trolley.T
        across, down = self.load[:, 0] - x, z - self.load[:, 1]
        sway = np.arctan2(across, down)
        squared = np.maximum(across**2 + down**2, 1e-9)
        rate = ((self.load[:, 2] - speed) * down + across * self.load[:, 3]) / squared
        low, high = self.observation_range
        seen: Array = np.clip(np.stack([self.goals - x, speed, sway, rate], axis=1), low, high)
        return seen

    def judge(self, observed: Array, action: Array) -> tuple[Array, Mask, Mask]:
        """Soon, without sway, at the goal."""
        distance, speed, sway, rate = observed.T
        reward = -0.1 * np.minimum(np.abs(distance) / 5.0, 1.0) - sway**2 - 0.1 * rate**2
        there = (np.abs(distance) < 0.05) & (np.abs(speed) < 0.05) & (np.abs(sway) < 0.01) & (np.abs(rate) < 0.01)
        lost = np.abs(sway) > math.pi / 2
        return reward + 10.0 * there, there, lost

    def baseline(self, observed: Array, age: Array) -> Array:
        """`shaped_speed`, with the distance at the start of the episode."""
        self.starts = np.where(age == 0, observed[:, 0], self.starts)
        actions: Array = shaped_speed(self.starts, age * 0.05)[:, None]
        return actions


def shaped_speed(distance: Array, time: Array, length: Array | float = LENGTH, fastest: float = SPEED) -> Array:
    """The baseline: target speeds as actions (-1 to 1), for the distances at the start [m] and the time since [s].

    The speed rises and falls linearly over one period T of the pendulum each, v = distance / (cruise + T). ``length`` of the
    pendulum [m] sets T; ``fastest`` is the speed of action 1 [m/s], of which v is 95 % at most.
    """
    period = 2 * math.pi * np.sqrt(length / GRAVITY)
    top = 0.95 * fastest
    cruise = np.maximum(np.abs(distance) / top - period, 0.0)
    speed = np.abs(distance) / (cruise + period)
    rise = np.clip(time / period, 0.0, 1.0)
    fall = np.clip((time - period - cruise) / period, 0.0, 1.0)
    shaped: Array = np.sign(distance) * speed * (rise - fall) / fastest
    return shaped
