"""Dig: a hydraulic excavator fills its bucket and lifts it out of the soil.

The baseline moves the teeth along a path given in time, and takes the lengths of the cylinders from it: with the pin of the bucket
at the distance r from the foot of the boom and the lengths a of boom and b of stick, the boom stands at
atan2(z, x) + acos((a² + r² − b²) / 2ar) and the stick at acos((a² + b² − r²) / 2ab) − π against it. Each lever is in proportion
to what its cylinder lacks.
"""

from __future__ import annotations

import math

import numpy as np

from windlass.batch import Batch
from windlass.examples import shipped
from windlass.gym.task import Array, Mask, Task, rotate
from windlass.simulation import Simulation

#: Boom, stick, and from the pin of the bucket to its teeth [m].
BOOM, STICK, BUCKET = 5.65, 2.9, 1.45
#: Foot of the boom, from the axis of slewing and from the base [m].
FOOT = np.array([0.05, 1.75])
#: The path of the teeth: times [s], distance from the axis of slewing [m], height above the soil [m], direction from the pin to
#: the teeth [deg].
TIMES = np.array([0.0, 1.5, 2.5, 5.5, 7.0, 8.0, 11.0])
REACH = np.array([7.4, 7.4, 7.3, 5.2, 4.6, 4.5, 4.7])
LIFT = np.array([1.0, 0.1, -0.35, -0.35, 0.25, 1.3, 3.1])
BEARING = np.array([-72.0, -75.0, -80.0, -128.0, -165.0, -190.0, -190.0])
#: Length of the bucket's cylinder [m] over the angle of the bucket against the stick [deg].
ANGLES = np.array([-135.0, -110.0, -85.0, -60.0, -35.0, -10.0, 15.0, 40.0])
LENGTHS = np.array([2.632, 2.582, 2.499, 2.375, 2.207, 2.006, 1.795, 1.614])
#: Goal: height of the teeth above the base [m], and least load [kg].
HIGH, FULL = 1.5, 400.0
#: Time per action [s].
STEP = 0.1


class Dig(Task):
    """Observations: lengths of the cylinders of boom, stick and bucket [m], their pressures [bar], distance of the teeth from the
    axis of slewing [m], their height above the base [m] and direction of the bucket, from its pin to the teeth [rad], height of
    the soil [m], load [kg], draft [kN], power of the pump [kW]. The load is the vertical force of the loose soil on the bucket, 0 if
    it is upward: it is the mass of the soil when the bucket is clear of the ground.

    Actions: levers of boom (positive up), stick (positive out) and bucket (positive curls). Reward per action: −0.02 − 0.02 per
    100 kW of the pump, and at the end 0.01 per kg of soil in the bucket, at most 10: when the teeth are 1.5 m above the base with
    at least 400 kg. The height of the soil, −0.3 to 0 m against the base, and the soil are drawn: topsoil or wet sand.
    """

    steps_per_action = 6
    horizon = 160
    observations = (
        "cylinder of the boom [m]",
        "cylinder of the stick [m]",
        "cylinder of the bucket [m]",
        "pressure of the boom [bar]",
        "pressure of the stick [bar]",
        "pressure of the bucket [bar]",
        "distance of the teeth [m]",
        "height of the teeth [m]",
        "direction of the bucket [rad]",
        "height of the soil [m]",
        "load [kg]",
        "draft [kN]",
        "power of the pump [kW]",
    )
    observation_range = (
        np.array([0.0, 0.0, 0.0, -10.0, -10.0, -10.0, -20.0, -20.0, -7.0, -5.0, 0.0, -1e4, -1e4]),
        np.array([5.0, 5.0, 5.0, 1e3, 1e3, 1e3, 20.0, 20.0, 7.0, 5.0, 1e5, 1e4, 1e4]),
    )
    actions = ("driver.boom", "driver.stick", "driver.bucket")

    def scene(self) -> Simulation:
        """The scene."""
        return shipped("learn/dig.toml")

    def begin(self, batch: Batch) -> None:
        """Binds cylinders, bucket and pump."""
        names = ("boom", "stick", "bucket")
        self.cylinders = batch.bind(*(f"vehicles.digger.{n}.length" for n in names), *(f"vehicles.digger.{n}.pressure_a" for n in names))
        self.bucket = batch.bind('bodies."digger.bucket".position', 'bodies."digger.bucket".orientation')
        tool = 'tools."digger.bucket".'
        self.tool = batch.bind(f"{tool}load", f"{tool}draft", f"{tool}depth", "vehicles.digger.main.power")
        self.levels, self.soils = batch.expand("parameters.level"), batch.expand("parameters.soil")
        self.level = np.zeros(len(batch))

    def draw(self, batch: Batch, world: int, random: np.random.Generator) -> None:
        """Height and kind of the soil."""
        self.level[world] = random.uniform(-0.3, 0.0)
        self.levels[world], self.soils[world] = float(self.level[world]), str(random.choice(["topsoil", "wet_sand"]))

    def observe(self, batch: Batch) -> Array:
        """Cylinders, teeth, soil, pump."""
        along = rotate(self.bucket[:, 3:7], np.broadcast_to(np.array([BUCKET, 0.0, 0.0]), (len(batch), 3)))
        teeth = self.bucket[:, :3] + along
        # from 90° down to -270°, so that curling does not jump
        bearing = np.arctan2(along[:, 2], along[:, 0])
        bearing = np.where(bearing > math.pi / 2, bearing - 2 * math.pi, bearing)
        tool = np.nan_to_num(self.tool)
        columns = [
            *self.cylinders[:, :3].T, *(np.nan_to_num(self.cylinders[:, 3:]).T / 1e5), np.hypot(teeth[:, 0], teeth[:, 1]), teeth[:, 2],
            bearing, self.level, tool[:, 0], tool[:, 1] / 1e3, tool[:, 3] / 1e3,
        ]  # fmt: skip
        low, high = self.observation_range
        seen: Array = np.clip(np.stack(columns, axis=1), low, high)
        return seen

    def judge(self, observed: Array, action: Array) -> tuple[Array, Mask, Mask]:
        """A full bucket, with little energy."""
        height, load, power = observed[:, 7], observed[:, 10], observed[:, 12]
        there = (height > HIGH) & (load > FULL)
        reward = -0.02 - 0.0002 * np.maximum(power, 0.0) + np.where(there, 0.01 * np.minimum(load, 1000.0), 0.0)
        return reward, there, np.zeros_like(there)

    def baseline(self, observed: Array, age: Array) -> Array:
        """`pass_levers`."""
        return pass_levers(observed, age * STEP)


def pass_levers(observed: Array, time: Array) -> Array:
    """The baseline: levers of boom, stick and bucket at times since the start of a pass [s]."""
    bearing = np.radians(np.interp(time, TIMES, BEARING))
    x = np.interp(time, TIMES, REACH) - BUCKET * np.cos(bearing) - FOOT[0]
    dug = np.interp(time, [1.5, 2.5, 7.0, 8.0], [0.0, 1.0, 1.0, 0.0])
    z = np.interp(time, TIMES, LIFT) + observed[:, 9] * dug - BUCKET * np.sin(bearing) - FOOT[1]
    away = np.hypot(x, z)
    boom = np.arctan2(z, x) + np.arccos(np.clip((BOOM**2 + away**2 - STICK**2) / (2 * BOOM * away), -1, 1))
    stick = np.arccos(np.clip((BOOM**2 + STICK**2 - away**2) / (2 * BOOM * STICK), -1, 1)) - math.pi
    bucket = np.degrees(bearing - boom - stick)
    # lengths of the cylinders: triangles of boom and stick, table of the linkage of the bucket
    wanted = (
        np.sqrt(2.527**2 + 0.796**2 - 2 * 2.527 * 0.796 * np.cos(boom + math.radians(46.89))),
        np.sqrt(3.052**2 + 0.849**2 - 2 * 3.052 * 0.849 * np.cos(math.radians(3.29) - stick)),
        np.interp(bucket, ANGLES, LENGTHS),
    )
    gains = (20.0, -15.0, 15.0)
    levers = [gain * (length - observed[:, k]) for k, (gain, length) in enumerate(zip(gains, wanted, strict=True))]
    actions: Array = np.clip(np.stack(levers, axis=1), -1.0, 1.0)
    return actions
