"""The learning tasks: spaces, resets, reproducibility, and baselines that reach the goal."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="pip install windlass[gym]")

import windlass.gym  # noqa: E402
from windlass.gym import TASKS, damped_slew, shaped_speed  # noqa: E402


@pytest.mark.parametrize("name", TASKS)
def test_gymnasiums_own_checks_pass(name: str) -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(f"windlass/{name}", render_mode="svg")
    with warnings.catch_warnings():
        # actions and pictures are as the task has them
        warnings.simplefilter("ignore")
        check_env(env.unwrapped, skip_render_check=True)
    assert env.unwrapped.render().startswith("<svg")


@pytest.mark.parametrize("name", TASKS)
def test_a_vector_of_environments_is_the_environments(name: str) -> None:
    envs = gymnasium.make_vec(f"windlass/{name}", num_envs=3)
    assert envs.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    observed, _ = envs.reset(seed=5)
    actions = np.random.default_rng(1).uniform(-1, 1, (20, 3, *envs.single_action_space.shape)).astype(np.float32)
    trajectory = [observed] + [envs.step(action)[0] for action in actions]
    for world in range(3):
        env = gymnasium.make(f"windlass/{name}")
        single = [env.reset(seed=5 + world)[0]] + [env.step(action[world])[0] for action in actions]
        assert np.array_equal(np.array(trajectory)[:, world], np.array(single))


def test_worlds_are_reset_in_the_step_in_which_they_end() -> None:
    envs = gymnasium.make_vec("windlass/AntiSway-v0", num_envs=2)
    envs.unwrapped.worlds.task.horizon = 5
    envs.reset(seed=1)
    for count in range(1, 6):
        observed, _, terminated, truncated, info = envs.step(np.ones((2, 1), dtype=np.float32))
    assert truncated.all() and not terminated.any() and count == 5
    assert info["final_obs"][0][1] > 0.1 and observed[0][1] == 0, "the last observation, and the first of the next episode"


def test_without_autoreset_a_mask_selects() -> None:
    envs = gymnasium.make_vec("windlass/AntiSway-v0", num_envs=3, autoreset_mode="Disabled")
    envs.reset(seed=1)
    for _ in range(4):
        envs.step(np.ones((3, 1), dtype=np.float32))
    observed, _ = envs.reset(options={"reset_mask": np.array([False, True, False])})
    assert (observed[:, 1] == 0).tolist() == [False, True, False]


def test_the_shaped_speed_reaches_every_goal_without_sway() -> None:
    envs = gymnasium.make_vec("windlass/AntiSway-v0", num_envs=24)
    observed, _ = envs.reset(seed=9)
    start = observed[:, 0].astype(float)
    total, ended = np.zeros(24), np.zeros(24, dtype=bool)
    for k in range(600):
        actions = shaped_speed(start, k * 0.05)[:, None].astype(np.float32)
        _, reward, terminated, _, _ = envs.step(actions)
        total += np.where(ended, 0.0, reward)
        ended |= terminated
        if ended.all():
            break
    assert ended.mean() >= 0.9, ended
    assert total.mean() > -10


def test_the_damped_slew_reaches_most_goals() -> None:
    envs = gymnasium.make_vec("windlass/AntiSway3D-v0", num_envs=8)
    observed, _ = envs.reset(seed=4)
    ended = np.zeros(8, dtype=bool)
    for _ in range(1200):
        observed, _, terminated, _, _ = envs.step(damped_slew(observed.astype(float)).astype(np.float32))
        ended |= terminated
        if ended.all():
            break
    assert ended.mean() >= 0.75, ended
