"""Many worlds of one scene, stepped on threads of the library."""

from __future__ import annotations

import operator
import time
from collections.abc import Iterator, Mapping, Sequence
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

#: Most threads of a batch or a sweep, as of the command.
MOST_THREADS = 1024

#: The interpreter handles signals after about this time of work [s].
ATTENTION = 0.05

#: More steps than these at each time of a rollout are taken by `Batch.step`, which Ctrl-C ends between two steps.
LONG = 16


def _parts(total: int) -> Iterator[int]:
    """Numbers that add up to a total (at least one), each a fraction of a second of work, so that Ctrl-C is handled."""
    size, left = 16, total
    while True:
        part = min(size, left)
        begun = time.perf_counter()
        yield part
        left -= part
        if left <= 0:
            return
        size = 2 * size if time.perf_counter() - begun < ATTENTION else max(1, size // 2)


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
    One thread at a time may use a batch.
    """

    def __new__(
        cls, scene: Path | Scene | Simulation, n: int, threads: int = 0, *, set: Mapping[str, Value] | None = None  # noqa: A002
    ) -> Self:
        n, threads = operator.index(n), operator.index(threads)
        if n < 1:
            raise ValueError(f"a batch has 1 world or more, not {n}")
        if not 0 <= threads <= MOST_THREADS:
            raise ValueError(f"{threads} threads: give 0 (as many as the machine has) to {MOST_THREADS}")
        simulation = scene if isinstance(scene, Simulation) else load(scene, set)
        batch = super().__new__(cls, simulation, n, threads)
        batch.input_names = simulation.names("inputs")
        batch._targets = np.full(n * len(batch.input_names), np.nan)
        batch._inputs = batch._targets.reshape(n, len(batch.input_names))
        batch._bindings = []
        batch._values = {}
        batch._sent = {}
        batch._ranges = [simulation.input_properties(name)[1] for name in batch.input_names]
        return batch

    #: Names of the inputs, the columns of `inputs`.
    input_names: list[str]
    _inputs: Array
    _targets: Array
    _bindings: list[Binding]
    _values: dict[str, npt.NDArray[Any]]
    _sent: dict[str, list[str | None]]
    _ranges: list[tuple[float, float]]

    @property
    def inputs(self) -> Array:
        """Targets of the inputs, (n, inputs). Written by the caller; NaN releases an input."""
        return self._inputs

    @inputs.setter
    def inputs(self, targets: npt.ArrayLike) -> None:
        self._inputs[:] = np.asarray(targets, dtype=float)

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

        A value may change the number of bodies and joints. `reset` then raises `ValueError` if inputs or bound probes are no
        longer those of the other worlds, or if the batch does not begin at the start of the scene.
        """
        return self._values.setdefault(key, np.full(len(self), None, dtype=object))

    def step(self, n: int = 1, ids: Worlds = None) -> None:
        """Takes ``n`` steps with the present inputs: all worlds, or those of ``ids`` (numbers, or a mask).

        Ctrl-C raises `KeyboardInterrupt` between two steps; all worlds have then taken the same number of them.
        """
        steps, mask = _number_of_steps(n), self._mask(ids)
        try:
            for part in _parts(steps):
                self.advance(part, self._targets, mask)
        finally:
            self._refresh()

    def rollout(self, inputs: npt.ArrayLike, n: int = 1) -> list[Array]:
        """Steps all worlds through inputs (worlds, times, inputs), with ``n`` steps per time. Returns an array (worlds, times,
        columns) for each binding. Ctrl-C raises `KeyboardInterrupt` between two times, and between the steps of a long one.
        """
        trajectory = np.ascontiguousarray(inputs, dtype=float)
        worlds, width = len(self), len(self.input_names)
        if trajectory.ndim != 3 or trajectory.shape[0] != worlds or trajectory.shape[2] != width:
            raise ValueError(f"inputs have the shape {trajectory.shape}: give ({worlds}, times, {width})")
        times, steps = trajectory.shape[1], _number_of_steps(n)
        found: list[Array] = [np.empty((worlds, times, len(binding.columns))) for binding in self._bindings]
        if steps > LONG:
            for time_ in range(times):
                self._inputs[:] = trajectory[:, time_]
                self.step(steps)
                for into, binding in zip(found, self._bindings, strict=True):
                    into[:, time_] = binding.array
            return found
        done = 0
        try:
            for part in _parts(times):
                if part == 0:
                    break
                groups = self.roll(trajectory[:, done : done + part].reshape(-1), part, steps)
                for into, group in zip(found, groups, strict=True):
                    into[:, done : done + part] = group.reshape(worlds, part, into.shape[2])
                done += part
                self._inputs[:] = trajectory[:, done - 1]
        finally:
            self._refresh()
        return found

    def reset(self, ids: Worlds = None) -> None:
        """Brings worlds back to their start, with their own values of `expand`. Their inputs become NaN.

        There is no seed: a batch draws no random numbers. Draw the values of `expand` before the call, as the learning
        tasks do, which take seeds. Ctrl-C ends it while scenes are built; then no world is reset.
        """
        for key, values in self._values.items():
            texts = [None if value is None else toml(value) for value in values.tolist()]
            if self._sent.get(key) != texts:
                self.set_values(key, texts)
                self._sent[key] = texts
        mask = self._mask(ids)
        self.restart(mask)
        self._inputs[slice(None) if mask is None else mask] = np.nan
        self._refresh()

    @property
    def status(self) -> npt.NDArray[np.uint8]:
        """0 for a world that runs, 1 for one that stopped at a fault, (n,).

        2 is an internal error in the engine, a bug in Windlass: the readings of the world are NaN until it is reset.
        """
        return np.array(bytearray(self.statuses()), dtype=np.uint8)

    @property
    def faults(self) -> dict[int, _core.Fault]:
        """The faults of the worlds that stopped at one."""
        found = {}
        for world in np.flatnonzero(self.status == 1).tolist():
            parts = self.fault(world)
            assert parts is not None
            fault = _core.Fault(parts[4])
            fault.body, fault.joint, fault.time, fault.step = parts[:4]
            found[world] = fault
        return found

    def world(self, number: int) -> Simulation:
        """A copy of a world as a simulation: to look at, record, continue."""
        simulation = _bare()
        self.copy_world(self._number(number), simulation)
        return simulation

    def set_state(self, number: int, state: State) -> None:
        """Sets the state of a world."""
        self.restore(self._number(number), state)
        self._refresh()

    def _number(self, number: int) -> int:
        world = operator.index(number)
        if not 0 <= world < len(self):
            raise IndexError(f"there is no world {world}: the batch has worlds 0 to {len(self) - 1}")
        return world

    def _mask(self, ids: Worlds) -> npt.NDArray[np.bool_] | None:
        if ids is None:
            return None
        given = np.asarray(ids)
        if given.dtype == bool:
            if given.shape != (len(self),):
                raise ValueError(f"the mask has the shape {given.shape}: give ({len(self)},)")
            return np.ascontiguousarray(given)
        if given.size and not np.issubdtype(given.dtype, np.integer):
            raise ValueError(f"ids have the type {given.dtype}: give numbers of worlds, or a mask of truth values")
        mask = np.zeros(len(self), dtype=bool)
        try:
            mask[given.astype(int)] = True
        except IndexError:
            raise IndexError(f"ids {given.tolist()}: the batch has worlds 0 to {len(self) - 1}") from None
        return mask

    def _refresh(self) -> None:
        for number, binding in enumerate(self._bindings):
            self.read_into(number, binding._flat)

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a batch cannot be pickled: pickle `states()`, and make the batch again")

    def __repr__(self) -> str:
        return f"<Batch of {len(self)} worlds on {self.threads} threads>"


def _number_of_steps(n: int) -> int:
    steps = operator.index(n)
    if steps < 0:
        raise ValueError(f"{steps} steps: give 0 or more")
    return steps
