"""PPO of Stable-Baselines3 on a task, compared with doing nothing and with the baseline of the task.

On AntiSway, the default task, the default of 300 000 steps takes about a minute and beats doing nothing. More steps come
nearer to the baseline. Other tasks may need other settings of PPO:

    python train_ppo.py --steps 1000000
    python train_ppo.py --task BlindLift-v0
"""

import argparse
import sys
from typing import Any

try:
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecEnv, VecNormalize

    import windlass.gym
    from windlass.gym import TASKS, Task, score
except ImportError as missing:
    print(f"{missing}: pip install windlass[gym] stable-baselines3")
    sys.exit(77)

import numpy as np

parser = argparse.ArgumentParser(description="Trains PPO on a task and compares it with doing nothing and with the baseline.")
parser.add_argument("--task", choices=list(TASKS), default="AntiSway-v0", help="the task (default: %(default)s)")
parser.add_argument("--steps", type=int, default=300_000, metavar="N", help="actions of all worlds (default: %(default)s)")
parser.add_argument("--worlds", type=int, default=32, metavar="N", help="worlds that learn together (default: %(default)s)")
parser.add_argument("--episodes", type=int, default=32, metavar="N", help="episodes of each score (default: %(default)s)")
chosen = parser.parse_args()


class Worlds(VecEnv):
    """The vector environment of a task with the interface of Stable-Baselines3."""

    def __init__(self, task: str, worlds: int) -> None:
        self.envs = windlass.gym.make_vector(task, worlds)
        self.render_mode = None
        super().__init__(worlds, self.envs.single_observation_space, self.envs.single_action_space)

    def reset(self) -> np.ndarray:
        seeds = None if all(seed is None for seed in self._seeds) else list(self._seeds)
        self._reset_seeds()
        return self.envs.reset(seed=seeds)[0]

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        observed, rewards, terminated, truncated, info = self.envs.step(self.actions)
        done = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in done]
        for world in np.flatnonzero(done):
            # the worlds are reset within the step: their last observations are apart
            infos[world] = {
                "terminal_observation": info["final_obs"][world],
                "TimeLimit.truncated": bool(truncated[world]),
                "is_success": bool(info["is_success"][world]),
            }
        return observed, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        self.envs.close()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        raise NotImplementedError("the worlds have no methods of their own")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False for _ in self._get_indices(indices)]


def nothing(observed: np.ndarray, age: np.ndarray) -> np.ndarray:
    """No action."""
    return np.zeros((len(observed), len(TASKS[chosen.task].actions)))


def learned(observed: np.ndarray, age: np.ndarray) -> np.ndarray:
    """The actions of the trained policy."""
    return model.predict(training.normalize_obs(observed), deterministic=True)[0]


def mean_return(task: Task, policy: Any = None) -> float:
    """The score of a policy instead of the baseline."""
    if policy is not None:
        task.baseline = policy  # type: ignore[method-assign]
    return score(task, chosen.episodes, seed=1000).mean


torch.set_num_threads(1)  # the networks are small
training = VecNormalize(Worlds(chosen.task, chosen.worlds), gamma=0.99)
# state-dependent noise: independent noise at 20 Hz would hardly move the trolley, whose speed has a limited rate
options = {"use_sde": True, "sde_sample_freq": 16, "policy_kwargs": {"log_std_init": -1.0}}
model = PPO("MlpPolicy", training, learning_rate=1e-3, n_steps=128, batch_size=1024, seed=1, device="cpu", **options)
model.learn(chosen.steps)

task = TASKS[chosen.task]
idle, scripted, trained = mean_return(task(), nothing), mean_return(task()), mean_return(task(), learned)
print(f"mean return: nothing {idle:.1f}, baseline {scripted:.1f}, PPO after {model.num_timesteps} steps {trained:.1f}")
assert trained > idle or chosen.task != "AntiSway-v0"
