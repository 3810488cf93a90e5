"""The learning tasks: spaces, resets, reproducibility, and baselines that reach the goal."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="pip install windlass[gym]")

import windlass.gym  # noqa: E402
from windlass.gym import TASKS, score  # noqa: E402
from windlass.gym.__main__ import main  # noqa: E402


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


#: Episodes of a baseline, the least share that reaches the goal, and the least mean return.
BASELINES = {
    "AntiSway-v0": (24, 0.9, -10.0),
    "AntiSway3D-v0": (8, 0.75, -25.0),
    "TruckDock-v0": (4, 0.75, -5.0),
    "SwellPickup-v0": (16, 0.9, 3.0),
    "BlindLift-v0": (16, 0.9, 0.0),
    "CableRouting-v0": (8, 0.75, 6.0),
    "Dig-v0": (3, 0.6, 3.0),
}


@pytest.mark.parametrize("name", TASKS)
def test_the_baseline_reaches_most_goals(name: str) -> None:
    episodes, success, mean = BASELINES[name]
    result = score(TASKS[name](), episodes, seed=4)
    assert result.success >= success and result.mean >= mean, result


@pytest.mark.parametrize("name", TASKS)
def test_doing_nothing_does_not_reach_the_goal(name: str) -> None:
    task = TASKS[name]()
    task.baseline = lambda observed, age: np.zeros((len(observed), len(task.actions)))
    task.horizon = min(task.horizon, 300)
    assert score(task, 2, seed=4).success == 0


def test_the_swell_has_risen_at_the_first_observation() -> None:
    envs = gymnasium.make_vec("windlass/SwellPickup-v0", num_envs=8)
    first, _ = envs.reset(seed=1)
    assert np.abs(first[:, 1]).max() > 0.1, "speeds of the decks"
    assert (first[:, 6] == 0).all() and (first[:, 5] > 0).all(), "slack ropes"


def test_the_baseline_of_an_environment_is_that_of_the_vector() -> None:
    env, envs = gymnasium.make("windlass/AntiSway-v0").unwrapped, gymnasium.make_vec("windlass/AntiSway-v0", num_envs=1)
    one, many = env.reset(seed=3)[0], envs.reset(seed=3)[0]
    for _ in range(30):
        action, actions = env.baseline(one), envs.unwrapped.baseline(many)
        assert np.array_equal(action, actions[0]) and env.action_space.contains(action)
        one, many = env.step(action)[0], envs.step(actions)[0]


def test_the_command_prints_scores(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--task", "AntiSway-v0", "--episodes", "2", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["task"] == "AntiSway-v0" and row["episodes"] == 2 and len(row["observations"]) == 4
    assert main(["--task", "AntiSway-v0", "--episodes", "2"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("AntiSway-v0")
