"""Scores of the baselines: mean return and share of successful episodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from gymnasium.vector import AutoresetMode

from windlass.gym.env import VectorEnv
from windlass.gym.task import Task


@dataclass(frozen=True)
class Score:
    """Results of some episodes."""

    #: Number of episodes.
    episodes: int
    #: Mean of the sums of rewards, and their standard deviation.
    mean: float
    deviation: float
    #: Share of the episodes that reach the goal.
    success: float
    #: Mean number of actions per episode.
    actions: float


def score(task: Task, episodes: int = 16, seed: int = 0) -> Score:
    """Runs the baseline of a task: one episode in each of ``episodes`` worlds. World k draws with ``seed + k``."""
    envs = VectorEnv(task, episodes, autoreset_mode=AutoresetMode.DISABLED)
    observed, _ = envs.reset(seed=seed)
    returns, lengths = np.zeros(episodes), np.zeros(episodes)
    reached, live = np.zeros(episodes, dtype=bool), np.ones(episodes, dtype=bool)
    while live.any():
        observed, reward, terminated, truncated, info = envs.step(envs.baseline(observed))
        returns += np.where(live, reward, 0.0)
        lengths += live
        reached |= live & info["is_success"]
        live &= ~(terminated | truncated)
    return Score(episodes, float(returns.mean()), float(returns.std()), float(reached.mean()), float(lengths.mean()))
