"""Environments over a batch: a true vector environment, and a single one made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from windlass.batch import Batch
from windlass.gym.task import Array, Mask, Task


def _spaces(task: Task) -> tuple[gymnasium.spaces.Box, gymnasium.spaces.Box]:
    low, high = task.observation_range
    observation = gymnasium.spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)
    action = gymnasium.spaces.Box(-1.0, 1.0, (len(task.actions),), dtype=np.float32)
    return observation, action


class _Worlds:
    """The worlds of a task: episodes, randomness, and inputs from actions."""

    def __init__(self, task: Task, worlds: int, threads: int) -> None:
        self.task = task
        self.batch = Batch(task.scene(), worlds, threads)
        self.columns = [self.batch.input_names.index(name) for name in task.actions]
        ranges = self.batch.input_ranges[self.columns]
        self.middle, self.half = ranges.mean(axis=1), (ranges[:, 1] - ranges[:, 0]) / 2
        self.age = np.zeros(worlds, dtype=int)
        self.random = [np.random.default_rng() for _ in range(worlds)]
        task.begin(self.batch)

    def seed(self, seeds: list[int | None]) -> None:
        for world, seed in enumerate(seeds):
            if seed is not None:
                self.random[world] = np.random.default_rng(seed)

    def reset(self, mask: Mask | None) -> Array:
        chosen = np.arange(len(self.batch)) if mask is None else np.flatnonzero(mask)
        for world in chosen:
            self.task.draw(self.batch, int(world), self.random[world])
        self.batch.reset(None if mask is None else mask)
        if self.task.lead_steps:
            self.batch.step(self.task.lead_steps, mask)
        self.age[chosen] = 0
        return self.observe()

    def observe(self) -> Array:
        return np.asarray(self.task.observe(self.batch), dtype=np.float64)

    def step(self, actions: Array, live: Mask | None) -> tuple[Array, Array, Mask, Mask, Mask]:
        bounded = np.clip(np.asarray(actions, dtype=np.float64), -1.0, 1.0)
        wanted = (len(self.batch), len(self.columns))
        if bounded.shape != wanted:
            raise ValueError(f"the actions have the shape {bounded.shape}: give {wanted}")
        if np.isnan(bounded).any():
            raise ValueError("an action is NaN")
        self.batch.inputs[:, self.columns] = self.middle + self.half * bounded
        self.batch.step(self.task.steps_per_action, live)
        self.age[slice(None) if live is None else live] += 1
        observed = self.observe()
        reward, reached, lost = self.task.judge(observed, bounded)
        # a world that stopped at a fault ends its episode
        terminated = reached | lost | (self.batch.status != 0)
        return observed, reward, terminated, (self.age >= self.task.horizon) & ~terminated, reached

    def baseline(self, observed: Array) -> Array:
        return np.clip(self.task.baseline(np.asarray(observed, dtype=np.float64), self.age), -1.0, 1.0)


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Many environments of a task in one batch.

    ``autoreset_mode`` is `AutoresetMode.SAME_STEP` by default: a world whose episode ends is reset within the call, and its
    last observation is in ``info["final_obs"]``. With `DISABLED`, ``reset(options={"reset_mask": mask})`` resets worlds.
    ``info["is_success"]`` tells which worlds reached the goal in the step.
    """

    metadata: dict[str, Any] = {"render_modes": ["svg"], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        task: Task,
        num_envs: int = 1,
        *,
        threads: int = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
    ) -> None:
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            raise ValueError("autoreset_mode is SAME_STEP or DISABLED: NEXT_STEP is not implemented")
        self.metadata = {**VectorEnv.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = _spaces(task)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.worlds = _Worlds(task, num_envs, threads)

    @property
    def batch(self) -> Batch:
        """The worlds."""
        return self.worlds.batch

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets all worlds, or those of ``options["reset_mask"]``. World k draws with ``seed + k``; worlds that are not
        reset keep their random numbers.
        """
        given = (options or {}).get("reset_mask")
        mask = None if given is None else np.asarray(given)
        if mask is not None and (mask.dtype != bool or mask.shape != (self.num_envs,)):
            raise ValueError("reset_mask is a mask of truth values, one per world")
        if isinstance(seed, (Sequence, np.ndarray)):
            if len(seed) != self.num_envs:
                raise ValueError(f"{len(seed)} seeds: give {self.num_envs}")
            seeds = list(seed)
        else:
            seeds = [None if seed is None else seed + world for world in range(self.num_envs)]
        self.worlds.seed([one if mask is None or mask[world] else None for world, one in enumerate(seeds)])
        return self.worlds.reset(mask).astype(np.float32), {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """An action of every world."""
        observed, reward, terminated, truncated, reached = self.worlds.step(actions, None)
        info: dict[str, Any] = {"is_success": reached, "_is_success": np.ones(self.num_envs, dtype=bool)}
        done = terminated | truncated
        if done.any() and self.autoreset_mode == AutoresetMode.SAME_STEP:
            final = np.full(self.num_envs, None, dtype=object)
            for world in np.flatnonzero(done):
                final[world] = observed[world].astype(np.float32)
            info |= {"final_obs": final, "_final_obs": done.copy(), "final_info": {}, "_final_info": done.copy()}
            observed = self.worlds.reset(done)
        return observed.astype(np.float32), reward, terminated, truncated, info

    def baseline(self, observed: Any) -> Any:
        """The scripted actions for observations. Call it for each action from the start of an episode on."""
        return self.worlds.baseline(observed).astype(np.float32)

    def render(self) -> tuple[Any, ...] | None:
        """A drawing of every world as SVG."""
        if self.render_mode != "svg":
            return None
        return tuple(self.batch.world(world).svg() for world in range(self.num_envs))


class SingleEnv(gymnasium.Env[Any, Any]):
    """One environment of a task."""

    metadata: dict[str, Any] = {"render_modes": ["svg"], "render_fps": 20}

    def __init__(self, task: Task, *, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self.observation_space, self.action_space = _spaces(task)
        self.worlds = _Worlds(task, 1, 1)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins an episode."""
        super().reset(seed=seed)
        self.worlds.seed([seed])
        return self.worlds.reset(None)[0].astype(np.float32), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """An action."""
        actions = np.asarray(action, dtype=np.float64)[None]
        observed, reward, terminated, truncated, reached = self.worlds.step(actions, None)
        info = {"is_success": bool(reached[0])}
        return observed[0].astype(np.float32), float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def baseline(self, observed: Any) -> Any:
        """The scripted action for an observation. Call it for each action from the start of an episode on."""
        return self.worlds.baseline(np.asarray(observed)[None])[0].astype(np.float32)

    def render(self) -> Any:
        """A drawing as SVG."""
        return self.worlds.batch.world(0).svg() if self.render_mode == "svg" else None
