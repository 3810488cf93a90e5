"""BlindLift: a gantry carries a load over a wall and sets it down, without a view of the load.

The operator knows the wall from a drawing, but sees only the positions and speeds of trolley and rope, and the force in the rope.
The baseline hoists the load above the wall, travels open-loop without residual sway, and lowers it until the rope is relieved.
The travel is the shaped speed of AntiSway, for a pendulum that ends at the centre of the load.
"""

from __future__ import annotations

import math

import numpy as np

from windlass.batch import Batch
from windlass.examples import shipped
from windlass.gym.antisway import shaped_speed
from windlass.gym.task import Array, Mask, Task
from windlass.simulation import Simulation

#: Height of the drum, and from the end of the rope to centre and bottom of the load [m].
DRUM, CENTRE, BOTTOM = 9.7, 0.5, 1.0
#: Largest speeds of trolley and rope [m/s], weight of the load [kN].
TRAVEL, HOIST, WEIGHT = 1.5, 0.75, 19.62
#: Time per action [s].
STEP = 0.1


class BlindLift(Task):
    """Observations: distance of the trolley from the goal [m], distance of the trolley from the wall [m], height of the wall
    [m], speed of the trolley [m/s], length of the rope [m], its rate [m/s], force in the rope [kN].

    Actions: speeds of trolley and hoist, -1 to 1 for ±1.5 m/s and ±0.75 m/s. Reward per action: −0.02 − 0.02 · min(|distance|/5 m,
    1) − 0.05 per kN above twice the weight, −10 if the load touches the wall or swings by more than 60°, and 10 at the end with the
    load on the floor within 0.3 m of the goal, the rope relieved, the trolley slower than 0.1 m/s. Walls of
    1 to 3 m height at 4 to 7 m from the start, and goals of 3 to 6 m behind them are drawn.
    """

    steps_per_action = 6
    horizon = 600
    observations = (
        "distance to the goal [m]",
        "distance to the wall [m]",
        "height of the wall [m]",
        "speed of the trolley [m/s]",
        "length of the rope [m]",
        "rate of the rope [m/s]",
        "force in the rope [kN]",
    )
    observation_range = (
        np.array([-60.0, -60.0, 0.0, -10.0, -10.0, -10.0, 0.0]),
        np.array([60.0, 60.0, 5.0, 10.0, 60.0, 10.0, 1000.0]),
    )
    actions = ("travel", "hoist")

    def scene(self) -> Simulation:
        """The scene."""
        return shipped("learn/blind_lift.toml")

    def begin(self, batch: Batch) -> None:
        """Binds trolley and rope, and what only the judge sees: the load."""
        self.trolley = batch.bind("bodies.trolley.position.x", "bodies.trolley.velocity.x")
        self.rope = batch.bind("cables.rope.paid_out", "winches.hoist.speed", "cables.rope.tension")
        self.load = batch.bind("bodies.load.position.x", "bodies.load.position.z", "contact(bodies.load, bodies.wall).force.size")
        self.walls, self.heights = batch.expand("parameters.wall"), batch.expand("parameters.height")
        self.wall, self.height, self.goal = np.zeros(len(batch)), np.zeros(len(batch)), np.zeros(len(batch))
        self.clock, self.phase, self.plan = np.zeros(len(batch)), np.zeros(len(batch), dtype=int), np.ones((len(batch), 2))

    def draw(self, batch: Batch, world: int, random: np.random.Generator) -> None:
        """A wall and a goal behind it."""
        self.wall[world], self.height[world] = random.uniform(4.0, 7.0), random.uniform(1.0, 3.0)
        self.goal[world] = self.wall[world] + random.uniform(3.0, 6.0)
        self.walls[world], self.heights[world] = float(self.wall[world]), float(self.height[world])

    def observe(self, batch: Batch) -> Array:
        """What the operator sees."""
        x, speed = self.trolley.T
        length, winding, force = self.rope.T
        columns = [self.goal - x, self.wall - x, self.height, speed, length, -winding, np.nan_to_num(force) / 1e3]
        low, high = self.observation_range
        seen: Array = np.clip(np.stack(columns, axis=1), low, high)
        return seen

    def judge(self, observed: Array, action: Array) -> tuple[Array, Mask, Mask]:
        """Over the wall, at the goal, on the floor."""
        across, height, touch = self.load.T
        distance, _, _, speed, _, _, force = observed.T
        sway = np.arctan2(np.abs(across - (self.goal - distance)), DRUM - height)
        there = (np.abs(across - self.goal) < 0.3) & (height < 0.55) & (force < 0.3 * WEIGHT) & (np.abs(speed) < 0.1)
        lost = (np.nan_to_num(touch) > 0) | (sway > math.pi / 3)
        reward = -0.02 - 0.02 * np.minimum(np.abs(distance) / 5.0, 1.0) - 0.05 * np.maximum(force - 2 * WEIGHT, 0.0)
        return reward + 10.0 * (there & ~lost) - 10.0 * lost, there & ~lost, lost

    def baseline(self, observed: Array, age: Array) -> Array:
        """Hoist, travel by a planned speed, lower until the rope is relieved."""
        distance, _, wall, speed, length, rate, force = observed.T
        self.phase[age == 0] = 0
        high = DRUM - BOTTOM - (wall + 0.6)
        # hoisted: plan the travel with the present length, once the hoist is at rest
        ready = (self.phase == 0) & (np.abs(length - high) < 0.05) & (np.abs(rate) < 0.02)
        self.plan = np.where(ready[:, None], np.stack([distance, length + CENTRE], axis=1), self.plan)
        self.phase[ready], self.clock[ready] = 1, 0.0
        self.clock += STEP
        planned = shaped_speed(self.plan[:, 0], self.clock, self.plan[:, 1], TRAVEL)
        # at rest again
        self.phase[(self.phase == 1) & (planned == 0.0)] = 2
        last = np.clip(0.3 * distance, -0.1, 0.1) / TRAVEL
        travel = np.select([self.phase == 1, self.phase == 2], [planned, last], 0.0)
        near = length > DRUM - BOTTOM - 0.6
        lower = np.where(force < 0.2 * WEIGHT, 0.0, np.where(near, 0.2, HOIST))
        out = np.where(self.phase == 2, lower, np.clip(0.8 * (high - length), -HOIST, HOIST))
        actions: Array = np.clip(np.stack([travel, -out / HOIST], axis=1), -1.0, 1.0)
        return actions
