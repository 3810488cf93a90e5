"""CableRouting: a gripper lays a cable around three posts on a table.

The baseline moves along x at a constant speed u and steers across to a polyline y(x) that passes each post on its side:
v = u y'(x) + k (y(x) − y).
"""

from __future__ import annotations

import numpy as np

from windlass.batch import Batch
from windlass.examples import shipped
from windlass.gym.task import Array, Mask, Task
from windlass.simulation import Simulation

#: Places of the posts along x, their radius, and the end of the route [m].
POSTS, RADIUS, END = np.array([0.45, 0.7, 0.95]), 0.05, 1.12
#: Largest speed of the gripper [m/s].
SPEED = 0.4
#: Points of the cable that are observed, by their distance from its start [m].
POINTS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2)


class CableRouting(Task):
    """Observations: position of the gripper [m] and its velocity [m/s] along and across, places of the posts across [m], sides
    on which the cable has to pass them (1: +y, -1: -y), positions of six points of the cable [m], its largest tension [N].

    Actions: speeds of the gripper along and across, -1 to 1 for ±0.4 m/s. Reward per action: −0.02 − 0.02 · min(distance/1 m, 1)
    to the end of the route, −10 if the tension exceeds 500 N or the gripper leaves the table, and 10 at the end with the gripper
    within 5 cm of (1.12 m, 0), slower than 0.1 m/s, and the cable past each post on its side. Places and sides of the posts
    are drawn.
    """

    horizon = 300
    observations = (
        "gripper along [m]",
        "gripper across [m]",
        "speed along [m/s]",
        "speed across [m/s]",
        "first post across [m]",
        "second post across [m]",
        "third post across [m]",
        "side of the first post",
        "side of the second post",
        "side of the third post",
        *(f"cable at {s} m, {way} [m]" for s in POINTS for way in ("along", "across")),
        "largest tension [N]",
    )
    observation_range = (
        np.concatenate([np.full(4, -5.0), np.full(3, -1.0), np.full(3, -1.0), np.full(12, -5.0), [0.0]]),
        np.concatenate([np.full(4, 5.0), np.full(3, 1.0), np.full(3, 1.0), np.full(12, 5.0), [1e5]]),
    )
    actions = ("x", "y")

    def scene(self) -> Simulation:
        """The scene."""
        return shipped("learn/cable_routing.toml")

    def begin(self, batch: Batch) -> None:
        """Binds gripper and cable."""
        body = "bodies.gripper."
        self.gripper = batch.bind(f"{body}position.x", f"{body}position.y", f"{body}velocity.x", f"{body}velocity.y")
        self.cable = batch.bind(*(f"cables.cable.{way}({s})" for s in POINTS for way in "xy"), "cables.cable.max_tension")
        self.places = [batch.expand(f"parameters.{name}") for name in ("first", "second", "third")]
        self.posts, self.sides = np.zeros((len(batch), 3)), np.ones((len(batch), 3))

    def draw(self, batch: Batch, world: int, random: np.random.Generator) -> None:
        """Posts and sides."""
        self.posts[world] = random.uniform(-0.06, 0.06, 3)
        self.sides[world] = random.choice([-1.0, 1.0], 3)
        for values, value in zip(self.places, self.posts[world], strict=True):
            values[world] = float(value)

    def observe(self, batch: Batch) -> Array:
        """Gripper, posts, sides, cable."""
        cable = np.nan_to_num(self.cable)
        low, high = self.observation_range
        seen: Array = np.clip(np.concatenate([self.gripper, self.posts, self.sides, cable], axis=1), low, high)
        return seen

    def judge(self, observed: Array, action: Array) -> tuple[Array, Mask, Mask]:
        """At the end, past each post on its side."""
        x, y, u, v = observed[:, :4].T
        off = np.hypot(x - END, y)
        past = np.array([self.passes(row) for row in observed], dtype=bool)
        lost = (observed[:, 22] > 500.0) | (np.abs(y) > 0.8) | (x > 1.4) | (x < -0.3)
        there = (off < 0.05) & (np.hypot(u, v) < 0.1) & past & ~lost
        return -0.02 - 0.02 * np.minimum(off, 1.0) + 10.0 * there - 10.0 * lost, there, lost

    @staticmethod
    def passes(row: Array) -> bool:
        """Whether the cable passes each post on its side: by the polyline of its observed points from socket to gripper."""
        points = np.concatenate([[[0.0, 0.0]], row[10:22].reshape(6, 2), [row[:2]]])
        if np.any(np.diff(points[:, 0]) < 0.0):
            return False
        across = np.interp(POSTS, points[:, 0], points[:, 1])
        return bool(np.all(row[7:10] * (across - row[4:7]) > 0.0))

    def baseline(self, observed: Array, age: Array) -> Array:
        """`waypoints`."""
        return np.array([waypoints(row) for row in observed])


def waypoints(row: Array) -> Array:
    """The baseline: speeds along and across for the observations of one world."""
    x, y = row[0], row[1]
    route_x = np.array([0.25, *POSTS, END])
    route_y = np.array([0.0, *(row[4:7] + row[7:10] * (RADIUS + 0.07)), 0.0])
    along = np.clip(2.0 * (END - x), -0.2, 0.2)
    slope = (np.interp(x + 0.01, route_x, route_y) - np.interp(x - 0.01, route_x, route_y)) / 0.02
    across = along * slope + 4.0 * (np.interp(x, route_x, route_y) - y)
    actions: Array = np.clip(np.array([along, across]) / SPEED, -1.0, 1.0)
    return actions
