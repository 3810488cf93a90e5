"""AntiSway3D: a slewing and luffing crane carries a load to a place in space and leaves it hanging still.

The sway s = x − p is that of the load x against the tip p of the boom. The baseline moves the tip toward the goal and
follows the load: with x'' = −(g/L) s and p' = k s, the sway has s'' + k s' + (g/L) s = 0, a damping ratio of k/2 √(L/g).
"""

from __future__ import annotations

import numpy as np

from windlass.batch import Batch
from windlass.examples import shipped
from windlass.gym.task import Array, Mask, Task, rotate
from windlass.simulation import Simulation

#: From the middle of the boom to its tip, in the boom's axes [m].
TIP = np.array([15.0, 0.0, 0.0])
#: The luffing motion: speed of the tip outward per speed of the cylinder at the start of the scene, about.
OUTWARD_PER_LUFF = -4.0


class AntiSway3D(Task):
    """Observations, in axes outward, along the slewing direction, and up: from the tip of the boom to the goal [m] (outward,
    along), from the load to the goal [m] (up), load against tip [m] (outward, along), its rate [m/s] (2), speed of the tip
    [m/s] (2), speed of the load upward [m/s], length of the rope [m].

    Actions: slew, luff, hoist, each -1 to 1 over its range. Reward per action: −0.05 · min(distance/10 m, 1) − 0.02 · sway²
    with the sway in metres, and 10 at the end within 0.5 m of the goal, with sway below 0.3 m and load speed below 0.2 m/s.
    """

    horizon = 1200
    observations = (
        "goal from tip, outward [m]",
        "goal from tip, along [m]",
        "goal from load, up [m]",
        "load from tip, outward [m]",
        "load from tip, along [m]",
        "rate of it, outward [m/s]",
        "rate of it, along [m/s]",
        "speed of the tip, outward [m/s]",
        "speed of the tip, along [m/s]",
        "speed of the load, up [m/s]",
        "length of the rope [m]",
    )
    observation_range = (np.full(11, -100.0), np.full(11, 100.0))
    actions = ("slew", "luff", "hoist")

    def scene(self) -> Simulation:
        """The scene."""
        return shipped("crane/operated.toml")

    def begin(self, batch: Batch) -> None:
        """Binds boom, load and rope."""
        self.boom = batch.bind("bodies.boom.position", "bodies.boom.orientation", "bodies.boom.velocity", "bodies.boom.angular_velocity")
        self.load = batch.bind("bodies.load.position", "bodies.load.velocity", "joints.hoist.value")
        self.goals = np.zeros((len(batch), 3))

    def draw(self, batch: Batch, world: int, random: np.random.Generator) -> None:
        """A goal around the crane: angle, radius, height."""
        angle = random.uniform(0.3, 1.2) * random.choice([-1.0, 1.0])
        radius = random.uniform(20.0, 27.0)
        self.goals[world] = radius * np.cos(angle), radius * np.sin(angle), random.uniform(4.0, 14.0)

    def observe(self, batch: Batch) -> Array:
        """Positions and rates in the crane's axes."""
        position, orientation, velocity, spin = np.split(self.boom, [3, 7, 10], axis=1)
        arm = rotate(orientation, np.broadcast_to(TIP, position.shape))
        tip, tip_speed = position + arm, velocity + np.cross(spin, arm)
        load, load_speed, rope = self.load[:, :3], self.load[:, 3:6], self.load[:, 6]
        flat = tip[:, :2] / np.maximum(np.linalg.norm(tip[:, :2], axis=1, keepdims=True), 1e-9)
        outward = np.concatenate([flat, np.zeros((len(flat), 1))], axis=1)
        along = np.cross(np.array([0.0, 0.0, 1.0]), outward)

        def part(vector: Array, axis: Array) -> Array:
            product: Array = np.einsum("ij,ij->i", vector, axis)
            return product

        goal, sway, rate = self.goals - tip, load - tip, load_speed - tip_speed
        columns = [
            part(goal, outward), part(goal, along), self.goals[:, 2] - load[:, 2],
            part(sway, outward), part(sway, along), part(rate, outward), part(rate, along),
            part(tip_speed, outward), part(tip_speed, along), load_speed[:, 2], rope,
        ]  # fmt: skip
        low, high = self.observation_range
        seen: Array = np.clip(np.stack(columns, axis=1), low, high)
        return seen

    def judge(self, observed: Array, action: Array) -> tuple[Array, Mask, Mask]:
        """Soon, without sway, at the goal."""
        sway = np.hypot(observed[:, 3], observed[:, 4])
        off = np.sqrt((observed[:, 0] - observed[:, 3]) ** 2 + (observed[:, 1] - observed[:, 4]) ** 2 + observed[:, 2] ** 2)
        speed = np.sqrt((observed[:, 5] + observed[:, 7]) ** 2 + (observed[:, 6] + observed[:, 8]) ** 2 + observed[:, 9] ** 2)
        there = (off < 0.5) & (sway < 0.3) & (speed < 0.2)
        return -0.05 * np.minimum(off / 10.0, 1.0) - 0.02 * np.minimum(sway, 5.0) ** 2 + 10.0 * there, there, np.zeros_like(there)

    def baseline(self, observed: Array, age: Array) -> Array:
        """`damped_slew`."""
        return damped_slew(observed)


def damped_slew(observed: Array) -> Array:
    """The baseline: speeds toward the goal and after the load, as actions (slew, luff, hoist)."""
    goal_out, goal_along, up = observed[:, 0], observed[:, 1], observed[:, 2]
    sway_out, sway_along = observed[:, 3], observed[:, 4]
    outward = np.clip(0.14 * goal_out, -0.6, 0.6) + 0.3 * sway_out
    along = np.clip(0.14 * goal_along, -1.3, 1.3) + 0.3 * sway_along
    # the largest slewing rate is 0.6 rpm at a radius of about 25 m, the largest luffing speed 0.15 m/s
    slew, luff, hoist = along / (0.0628 * 25.0), outward / OUTWARD_PER_LUFF / 0.15, 0.5 * up / 1.5
    actions: Array = np.clip(np.stack([slew, luff, hoist], axis=1), -1.0, 1.0)
    return actions
