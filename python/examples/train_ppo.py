"""PPO of Stable-Baselines3 on AntiSway, compared with doing nothing and with the baseline of the task.

The default of 300 000 steps takes about a minute and beats doing nothing. More steps come nearer to the baseline:

    python train_ppo.py 1000000
"""

import sys
from typing import Any

try:
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecEnv, VecNormalize

    import windlass.gym
    from windlass.gym import AntiSway, score
except ImportError as missing:
    print(f"{missing}: pip install windlass[gym] stable-baselines3")
    sys.exit(77)

import numpy as np

WORLDS = 32


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


class Nothing(AntiSway):
    """No action."""

    def baseline(self, observed: np.ndarray, age: np.ndarray) -> np.ndarray:
        return np.zeros((len(observed), 1))


class Learned(AntiSway):
    """The actions of the trained policy."""

    def baseline(self, observed: np.ndarray, age: np.ndarray) -> np.ndarray:
        return model.predict(training.normalize_obs(observed), deterministic=True)[0]


torch.set_num_threads(1)  # the networks are small
training = VecNormalize(Worlds("AntiSway-v0", WORLDS), gamma=0.99)
# state-dependent noise: independent noise at 20 Hz would hardly move the trolley, whose speed has a limited rate
options = {"use_sde": True, "sde_sample_freq": 16, "policy_kwargs": {"log_std_init": -1.0}}
model = PPO("MlpPolicy", training, learning_rate=1e-3, n_steps=128, batch_size=1024, seed=1, device="cpu", **options)
model.learn(int(sys.argv[1]) if len(sys.argv) > 1 else 300_000)

nothing, scripted, learned = (score(task, 32, seed=1000).mean for task in (Nothing(), AntiSway(), Learned()))
print(f"mean return: nothing {nothing:.1f}, baseline {scripted:.1f}, PPO after {model.num_timesteps} steps {learned:.1f}")
assert learned > nothing
