"""SwellPickup: a crane on a platform picks a load from the deck of a vessel that heaves in an irregular sea.

With a rope of the stiffness k and a load of the mass m, a lift-off at the speed v relative to the deck has the peak force
m g + v √(k m). The baseline compensates heave while the load stands on the deck: the rope follows with the measured speed of the
deck and keeps a small force F₀, u = v_deck + c (F₀ − F). It lifts at a crest, where the deck begins to fall.
"""

from __future__ import annotations

import numpy as np

from windlass.batch import Batch
from windlass.examples import shipped
from windlass.gym.task import Array, Mask, Task
from windlass.simulation import Simulation

#: Height of the deck at rest [m], height of the load [m], weight of the load [kN], largest speed of the rope [m/s].
DECK, LOAD, WEIGHT, HOIST = 3.0, 2.0, 78.48, 2.0
#: From the origin of the vessel up to its deck [m].
ABOVE = 2.5
#: Goal: height above the deck at rest [m].
GOAL = 5.0


class SwellPickup(Task):
    """Observations: height of the deck above its rest [m] and its speed [m/s], height of the load above the deck at rest [m] and
    its speed [m/s], speed of the rope, winding in [m/s], slack of the rope [m], force in the rope [kN], largest force so far [kN],
    1 once the load was 0.1 m above the deck, else 0.

    Action: speed of the hoist, -1 to 1 for ±2 m/s, positive up. Reward per action: −0.02, −5 times the growth of the largest
    force in weights of the load above 1, −10 if the deck hits the load again or the force exceeds 2 weights, and 10 at the end
    with the load 5 m (± 0.5 m) above the deck at rest, slower than 0.3 m/s. Significant heights of 1.5, 2 and 2.5 m, peak periods
    of 7, 8.5 and 10 s and seeds of the sea are drawn.
    """

    # the waves rise within 10 s
    lead_steps = 600
    horizon = 1200
    observations = (
        "height of the deck [m]",
        "speed of the deck [m/s]",
        "height of the load [m]",
        "speed of the load [m/s]",
        "speed of the rope [m/s]",
        "slack of the rope [m]",
        "force in the rope [kN]",
        "largest force [kN]",
        "lifted",
    )
    observation_range = (
        np.array([-10.0, -10.0, -40.0, -20.0, -10.0, 0.0, 0.0, 0.0, 0.0]),
        np.array([10.0, 10.0, 40.0, 20.0, 10.0, 60.0, 1e4, 1e4, 1.0]),
    )
    actions = ("hoist",)

    def scene(self) -> Simulation:
        """The scene."""
        return shipped("learn/swell_pickup.toml")

    def begin(self, batch: Batch) -> None:
        """Binds vessel, load and rope."""
        self.vessel = batch.bind("bodies.vessel.position.z", "bodies.vessel.velocity.z")
        self.load = batch.bind("bodies.load.position.z", "bodies.load.velocity.z", "contact(bodies.load, bodies.vessel).force.size")
        self.rope = batch.bind("winches.hoist.speed", "cables.rope.slack", "cables.rope.tension")
        self.sea = [batch.expand(f"parameters.{name}") for name in ("height", "period", "seed")]
        self.peak, self.lifted, self.growth = np.zeros(len(batch)), np.zeros(len(batch), dtype=bool), np.zeros(len(batch))

    def draw(self, batch: Batch, world: int, random: np.random.Generator) -> None:
        """A sea."""
        height, period, seed = self.sea
        height[world], period[world] = float(random.choice([1.5, 2.0, 2.5])), float(random.choice([7.0, 8.5, 10.0]))
        seed[world] = int(random.integers(1, 10000))
        self.peak[world], self.lifted[world] = 0.0, False

    def observe(self, batch: Batch) -> Array:
        """Deck, load and rope; the largest force and the lift-off are kept."""
        heave, deck_speed = self.vessel[:, 0] + ABOVE - DECK, self.vessel[:, 1]
        height, speed, _ = self.load.T
        height = height - LOAD / 2 - DECK
        winding, slack, force = self.rope.T
        force = np.nan_to_num(force) / 1e3
        self.growth = np.maximum(force, WEIGHT) - np.maximum(self.peak, WEIGHT)
        self.peak = np.maximum(self.peak, force)
        self.lifted |= height - heave > 0.1
        columns = [heave, deck_speed, height, speed, winding, np.maximum(slack, 0.0), force, self.peak, self.lifted]
        low, high = self.observation_range
        seen: Array = np.clip(np.stack(columns, axis=1), low, high)
        return seen

    def judge(self, observed: Array, action: Array) -> tuple[Array, Mask, Mask]:
        """Up without snap and without a second contact."""
        height, speed, peak, lifted = observed[:, 2], observed[:, 3], observed[:, 7], observed[:, 8] > 0
        hit = lifted & (np.nan_to_num(self.load[:, 2]) > 0)
        lost = hit | (peak > 2 * WEIGHT)
        there = (np.abs(height - GOAL) < 0.5) & (np.abs(speed) < 0.3) & ~lost
        return -0.02 - 5.0 * np.maximum(self.growth, 0.0) / WEIGHT + 10.0 * there - 10.0 * lost, there, lost

    def baseline(self, observed: Array, age: Array) -> Array:
        """`compensated`."""
        return compensated(observed)


def compensated(observed: Array) -> Array:
    """The baseline: the speed of the hoist as an action."""
    heave, deck_speed, height, _, winding, slack, force, _, lifted = observed.T
    # on the deck: follow it, take up slack, keep a tenth of the weight
    follow = deck_speed + np.where(slack > 0.02, 0.5, 0.01 * (0.1 * WEIGHT - force))
    crest = (heave > 0.1) & (deck_speed < 0.05) & (deck_speed > -0.4) & (slack < 0.02)
    lifting = (lifted > 0) | (force > 0.4 * WEIGHT)
    # slowly until the deck is clear, then fast
    lift = np.where(height - heave < 0.2, 0.4, np.clip(1.0 * (GOAL - height), -1.5, 1.5))
    speed = np.where(crest | lifting, lift, follow)
    actions: Array = np.clip(speed[:, None] / HOIST, -1.0, 1.0)
    return actions
