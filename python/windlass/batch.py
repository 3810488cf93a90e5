"""Many worlds of one scene, stepped on threads of the library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from windlass import _core
from windlass._core import State
from windlass._values import Value, toml
from windlass.log import Array
from windlass.simulation import Path, Simulation, _bare, load

if TYPE_CHECKING:
    from typing_extensions import Self

    from windlass.scene import Scene

Worlds = npt.ArrayLike | None


class Binding:
    """A group of probes of a batch: an array that every call of the batch refreshes."""

    def __init__(self, columns: Sequence[tuple[str, str]], worlds: int) -> None:
        #: Name and unit of each column.
        self.columns = list(columns)
        self._flat = np.full(worlds * len(self.columns), np.nan)
        self.array: Array = self._flat.reshape(worlds, len(self.columns))


class Batch(_core.Batch):
    """``n`` worlds of one scene, with the same bits as ``n`` simulations for any number of threads.

    >>> batch = wl.Batch("antisway.toml", 1024)
    >>> u = batch.inputs                             # (n, inputs): written by you; NaN releases an input
    >>> x = batch.bind("bodies.load.position")       # (n, 3): refreshed by every call
    >>> u[:] = 1.0
    >>> batch.step(3)

    A world with a fault keeps its last valid state and is left out until it is reset; `status` and `faults` tell which.
    """

    def __new__(
        cls, scene: Path | Scene | Simulation, n: int, threads: int = 0, *, set: Mapping[str, Value] | None = None  # noqa: A002
    ) -> Self:
        simulation = scene if isinstance(scene, Simulation) else load(scene, set)
        batch = super().__new__(cls, simulation, n, threads)
        batch.input_names = simulation.names("inputs")
        batch._targets = np.full(n * len(batch.input_names), np.nan)
        batch.inputs = batch._targets.reshape(n, len(batch.input_names))
        batch._bindings = []
        batch._values = {}
        batch._sent = {}
        batch._ranges = [simulation.input_properties(name)[1] for name in batch.input_names]
        return batch

    #: Names of the inputs, the columns of `inputs`.
    input_names: list[str]
    #: Targets of the inputs, (n, inputs). Written by the caller; NaN releases an input.
    inputs: Array
    _targets: Array
    _bindings: list[Binding]
    _values: dict[str, npt.NDArray[Any]]
    _sent: dict[str, list[str | None]]
    _ranges: list[tuple[float, float]]

    @property
    def input_ranges(self) -> Array:
        """Smallest and largest value of each input, (inputs, 2)."""
        return np.array(self._ranges, dtype=float).reshape(len(self._ranges), 2)

    def bind(self, *probes: str) -> Array:
        """Reads probes after every call from now on: an array (n, columns). ``"inputs"`` is the array `inputs`."""
        if probes == ("inputs",):
            return self.inputs
        number, columns = self.add_binding(list(probes))
        assert number == len(self._bindings)
        binding = Binding(columns, len(self))
        self._bindings.append(binding)
        self.read_into(number, binding._flat)
        return binding.array

    def expand(self, key: str) -> npt.NDArray[Any]:
        """Values of a key of the scene for every world, (n,): numbers in SI units, or texts with units. They take effect at
        the next `reset` of a world. ``None`` is the value of the scene, which all have at first.
        """
        return self._values.setdefault(key, np.full(len(self), None, dtype=object))

    def step(self, n: int = 1, ids: Worlds = None) -> None:
        """Takes ``n`` steps with the present inputs: all worlds, or those of ``ids`` (numbers, or a mask)."""
        self.advance(n, self._targets, self._mask(ids))
        self._refresh()

    def rollout(self, inputs: npt.ArrayLike, n: int = 1) -> list[Array]:
        """Steps all worlds through inputs (worlds, times, inputs), with ``n`` steps per time. Returns an array (worlds, times,
        columns) for each binding.
        """
        trajectory = np.ascontiguousarray(inputs, dtype=float)
        worlds, width = len(self), len(self.input_names)
        if trajectory.ndim != 3 or trajectory.shape[0] != worlds or trajectory.shape[2] != width:
            raise ValueError(f"inputs have the shape {trajectory.shape}: give ({worlds}, times, {width})")
        times = trajectory.shape[1]
        groups = self.roll(trajectory.reshape(-1), times, n)
        if times:
            self.inputs[:] = trajectory[:, -1]
        self._refresh()
        return [group.reshape(worlds, times, -1) for group in groups]

    def reset(self, ids: Worlds = None) -> None:
        """Brings worlds back to their start, with their own values of `expand`. Their inputs become NaN."""
        for key, values in self._values.items():
            texts = [None if value is None else toml(value) for value in values.tolist()]
            if self._sent.get(key) != texts:
                self.set_values(key, texts)
                self._sent[key] = texts
        mask = self._mask(ids)
        self.restart(mask)
        self.inputs[slice(None) if mask is None else mask] = np.nan
        self._refresh()

    @property
    def status(self) -> npt.NDArray[np.uint8]:
        """0 for a world that runs, 1 for one that stopped at a fault, (n,)."""
        status = np.zeros(len(self), dtype=np.uint8)
        status[self.stopped()] = 1
        return status

    @property
    def faults(self) -> dict[int, _core.Fault]:
        """The faults of the worlds that stopped."""
        found = {}
        for world in self.stopped():
            parts = self.fault(world)
            assert parts is not None
            fault = _core.Fault(parts[4])
            fault.body, fault.joint, fault.time, fault.step = parts[:4]
            found[world] = fault
        return found

    def world(self, number: int) -> Simulation:
        """A copy of a world as a simulation: to look at, record, continue."""
        simulation = _bare()
        self.copy_world(number, simulation)
        return simulation

    def set_state(self, number: int, state: State) -> None:
        """Sets the state of a world."""
        self.restore(number, state)
        self._refresh()

    def _mask(self, ids: Worlds) -> npt.NDArray[np.bool_] | None:
        if ids is None:
            return None
        given = np.asarray(ids)
        if given.dtype == bool:
            if given.shape != (len(self),):
                raise ValueError(f"the mask has the shape {given.shape}: give ({len(self)},)")
            return np.ascontiguousarray(given)
        mask = np.zeros(len(self), dtype=bool)
        mask[given.astype(int)] = True
        return mask

    def _refresh(self) -> None:
        for number, binding in enumerate(self._bindings):
            self.read_into(number, binding._flat)

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} worlds on {self.threads} threads>"
