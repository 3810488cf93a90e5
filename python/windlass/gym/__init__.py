"""Tasks for reinforcement learning, as Gymnasium environments over a `Batch`.

>>> import gymnasium, windlass.gym
>>> envs = gymnasium.make_vec("windlass/AntiSway-v0", num_envs=256)
>>> env = gymnasium.make("windlass/AntiSway-v0")
>>> actions = envs.baseline(observations)        # the scripted actions of the task

``python -m windlass.gym`` prints the tasks and the scores of their baselines.

Needs the extra ``windlass[gym]``.
"""

from __future__ import annotations

from typing import Any

import gymnasium

from windlass.gym.antisway import AntiSway, shaped_speed
from windlass.gym.antisway3d import AntiSway3D, damped_slew
from windlass.gym.blind_lift import BlindLift
from windlass.gym.cable_routing import CableRouting, waypoints
from windlass.gym.dig import Dig, pass_levers
from windlass.gym.env import SingleEnv, VectorEnv
from windlass.gym.score import Score, score
from windlass.gym.swell_pickup import SwellPickup, compensated
from windlass.gym.task import Task
from windlass.gym.truck_dock import TruckDock, backing

#: The tasks by the names under which they are registered.
TASKS: dict[str, type[Task]] = {
    "AntiSway-v0": AntiSway,
    "AntiSway3D-v0": AntiSway3D,
    "TruckDock-v0": TruckDock,
    "SwellPickup-v0": SwellPickup,
    "BlindLift-v0": BlindLift,
    "CableRouting-v0": CableRouting,
    "Dig-v0": Dig,
}


def make_single(task: str, **options: Any) -> SingleEnv:
    """One environment of a task."""
    return SingleEnv(TASKS[task](), **options)


def make_vector(task: str, num_envs: int = 1, **options: Any) -> VectorEnv:
    """Many environments of a task, stepped by one batch."""
    return VectorEnv(TASKS[task](), num_envs, **options)


for _name in TASKS:
    gymnasium.register(
        id=f"windlass/{_name}",
        entry_point="windlass.gym:make_single",
        vector_entry_point="windlass.gym:make_vector",
        kwargs={"task": _name},
    )

__all__ = [
    "TASKS",
    "AntiSway",
    "AntiSway3D",
    "BlindLift",
    "CableRouting",
    "Dig",
    "Score",
    "SingleEnv",
    "SwellPickup",
    "Task",
    "TruckDock",
    "VectorEnv",
    "backing",
    "compensated",
    "damped_slew",
    "make_single",
    "make_vector",
    "pass_levers",
    "score",
    "shaped_speed",
    "waypoints",
]
