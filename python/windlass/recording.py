"""Recordings: read them at any frame, and continue from there."""

from __future__ import annotations

import math
import os

from windlass import _core
from windlass._core import State
from windlass.simulation import Simulation, _bare


class Recording(_core.Replay):
    """A recording (`.wlr`): every frame of a run, bitwise reproducible."""

    @property
    def start(self) -> float:
        """Time of the first frame [s]."""
        return self.time_of(self.steps[0])

    @property
    def end(self) -> float:
        """Time of the last frame [s]."""
        return self.time_of(self.steps[1])

    def __len__(self) -> int:
        first, last = self.steps
        return last - first + 1

    def state_at(self, time: float) -> State:
        """The state of the last frame at or before a time [s]; of the first frame before the start."""
        return self.state(self._frame(time))

    def at(self, time: float) -> Simulation:
        """A simulation that continues from the last frame at or before a time [s]; from the first before the start."""
        simulation = _bare()
        self.continue_in(self._frame(time), simulation)
        return simulation

    def _frame(self, time: float) -> int:
        if math.isnan(time):
            raise ValueError("NaN is not a time")
        return self.step_at(time)

    def __repr__(self) -> str:
        return f"<Recording of {len(self)} frames, {self.start:g} s to {self.end:g} s>"


def open_recording(path: str | os.PathLike[str]) -> Recording:
    """Opens a recording."""
    return Recording(os.fspath(path))
