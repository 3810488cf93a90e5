"""What a task consists of: a scene, what is observed, what acts, and when it is done. And what several tasks compute."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from windlass.batch import Batch
from windlass.simulation import Simulation

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


def rotate(orientation: Array, vector: Array) -> Array:
    """Vectors in the axes of bodies → world axes, for quaternions (w, x, y, z)."""
    w, u = orientation[:, :1], orientation[:, 1:]
    rotated: Array = vector + 2 * np.cross(u, np.cross(u, vector) + w * vector)
    return rotated


class Task(ABC):
    """A task for many worlds at once. Arrays have a row per world."""

    #: Steps of the simulation per action.
    steps_per_action: int = 3
    #: Actions per episode; an episode that is longer is truncated.
    horizon: int = 400
    #: Steps of the simulation after a reset, before the first observation.
    lead_steps: int = 0
    #: Smallest and largest value of each observation.
    observation_range: tuple[Array, Array]
    #: Names of the observations, with units.
    observations: tuple[str, ...]
    #: Inputs of the scene that the actions move, each from -1 to 1 over the range of the input.
    actions: tuple[str, ...]

    @abstractmethod
    def scene(self) -> Simulation:
        """The scene at its start."""

    @abstractmethod
    def begin(self, batch: Batch) -> None:
        """Binds what is observed."""

    @abstractmethod
    def draw(self, batch: Batch, world: int, random: np.random.Generator) -> None:
        """Draws goal and parameters of the next episode of a world, before it is reset."""

    @abstractmethod
    def observe(self, batch: Batch) -> Array:
        """The observations."""

    @abstractmethod
    def judge(self, observed: Array, action: Array) -> tuple[Array, Mask, Mask]:
        """Reward, whether the goal is reached, and whether it can no longer be reached, after an action."""

    @abstractmethod
    def baseline(self, observed: Array, age: Array) -> Array:
        """Scripted actions for observations. `age` counts the actions since the start of each episode.

        It is called once per action, from the first of an episode on: a baseline may keep values of each world.
        """
