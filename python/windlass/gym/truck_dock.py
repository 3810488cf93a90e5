"""TruckDock: a semi-trailer backs to a loading dock.

Over the distance s travelled in reverse, the offset y of the trailer's axles from the line to the dock, its heading θ and the
angle φ of the tractor against the trailer obey

    dy/ds = −sin θ,   dθ/ds = −sin φ / D,   dφ/ds = sin φ / D − tan δ / L

with the steering angle δ and the lengths L of the tractor and D of the trailer. The baseline is a cascade, as in Pradalier and
Usher, "Robust trajectory tracking for a reversing tractor trailer", Journal of Field Robotics 25 (2008): the angle
sin φ₀ = D (2 k θ − k² y) gives y'' + 2 k y' + k² y = 0 for small angles, and tan δ = L (sin φ / D + q (φ − φ₀)) gives
φ' = −q (φ − φ₀).
"""

from __future__ import annotations

import numpy as np

from windlass.batch import Batch
from windlass.examples import shipped
from windlass.gym.task import Array, Mask, Task
from windlass.simulation import Simulation

#: Wheelbase of the tractor, and length from the fifth wheel to the middle axle of the trailer [m].
TRACTOR, TRAILER = 4.78, 7.59
#: From the origin of the trailer back to its middle axle and to its rear [m].
AXLE, REAR = 1.63, 5.99
#: Largest steering angle [rad].
STEERING = np.radians(38.0)
#: Gains of path and fifth wheel [1/m], and largest sine of the angle of the fifth wheel that is asked for.
PATH, BEND, MOST = 0.16, 0.5, 0.6


class TruckDock(Task):
    """Observations: distance of the rear from the dock [m], its offset to the side [m], heading of the trailer [rad], angle of the
    tractor against the trailer [rad], speed forward [m/s], steering, -1 (right) to 1 (left).

    Actions: steering, and throttle (positive) or brake (negative), each -1 to 1, in reverse gear. Reward per action: −0.02 −
    0.02 · min(|offset|/2 m, 1) − 0.02 · min(|angle|/1 rad, 1), −10 if the rear passes the dock by 0.1 m or the angle exceeds
    1.2 rad, and 10 at the end within 0.4 m of the dock, 0.3 m to the side and 3° of heading, slower than 0.1 m/s. Distances of
    34 to 42 m, offsets of up to 3 m and headings of up to 6° are drawn.
    """

    steps_per_action = 6
    horizon = 900
    observations = (
        "distance to the dock [m]",
        "offset to the side [m]",
        "heading of the trailer [rad]",
        "angle of the tractor [rad]",
        "speed forward [m/s]",
        "steering",
    )
    observation_range = (
        np.array([-10.0, -60.0, -3.2, -3.2, -10.0, -1.0]),
        np.array([100.0, 60.0, 3.2, 3.2, 10.0, 1.0]),
    )
    actions = ("driver.steering", "driver.pedals")

    def scene(self) -> Simulation:
        """The scene."""
        return shipped("learn/truck_dock.toml")

    def begin(self, batch: Batch) -> None:
        """Binds trailer, fifth wheel and steering."""
        trailer = 'bodies."truck.trailer".'
        self.trailer = batch.bind(
            f"{trailer}position.x", f"{trailer}position.y", f"{trailer}euler_angles.yaw", f"{trailer}velocity.x", f"{trailer}velocity.y"
        )
        self.rest = batch.bind('joints."truck.fifth_wheel".value', 'inputs."driver.steering".actual')
        self.starts = [batch.expand(f"parameters.{name}") for name in ("distance", "offset", "heading")]

    def draw(self, batch: Batch, world: int, random: np.random.Generator) -> None:
        """A place and a heading."""
        drawn = random.uniform(34.0, 42.0), random.uniform(-3.0, 3.0), random.uniform(-np.radians(6.0), np.radians(6.0))
        for values, value in zip(self.starts, drawn, strict=True):
            values[world] = value

    def observe(self, batch: Batch) -> Array:
        """Position and heading of the rear, angle, speed, steering."""
        x, y, yaw, u, v = self.trailer.T
        columns = [
            x - REAR * np.cos(yaw), y - REAR * np.sin(yaw), yaw, -self.rest[:, 0],
            u * np.cos(yaw) + v * np.sin(yaw), np.nan_to_num(self.rest[:, 1]),
        ]  # fmt: skip
        low, high = self.observation_range
        seen: Array = np.clip(np.stack(columns, axis=1), low, high)
        return seen

    def judge(self, observed: Array, action: Array) -> tuple[Array, Mask, Mask]:
        """At the dock, straight and at rest."""
        distance, offset, heading, angle, speed, _ = observed.T
        reward = -0.02 - 0.02 * np.minimum(np.abs(offset) / 2.0, 1.0) - 0.02 * np.minimum(np.abs(angle), 1.0)
        there = (distance < 0.4) & (np.abs(offset) < 0.3) & (np.abs(heading) < np.radians(3.0)) & (np.abs(speed) < 0.1)
        lost = (distance < -0.1) | (np.abs(angle) > 1.2)
        return reward + 10.0 * (there & ~lost) - 10.0 * lost, there & ~lost, lost

    def baseline(self, observed: Array, age: Array) -> Array:
        """`backing`."""
        return backing(observed)


def backing(observed: Array) -> Array:
    """The baseline: steering by path and angle of the fifth wheel, speed by the distance."""
    distance, offset, heading, angle, speed, _ = observed.T
    axle = offset + (REAR - AXLE) * np.sin(heading)
    wanted = np.arcsin(np.clip(TRAILER * (2 * PATH * heading - PATH**2 * axle), -MOST, MOST))
    steering = np.arctan(TRACTOR * (np.sin(angle) / TRAILER + BEND * (angle - wanted))) / STEERING
    # braking at 0.15 m/s² to a stop 0.2 m before the dock
    target = np.minimum(1.2, np.sqrt(2 * 0.15 * np.maximum(distance - 0.2, 0.0)))
    pedals = 0.5 * (target + speed) + np.where(target < 0.05, -0.5, 0.05)
    actions: Array = np.clip(np.stack([steering, pedals], axis=1), -1.0, 1.0)
    return actions
