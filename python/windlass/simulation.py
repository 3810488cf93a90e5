"""One simulation: load, step, read, record."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from windlass import _core
from windlass._core import State
from windlass._values import Value, overrides, toml
from windlass.log import Array, Log, Picture

if TYPE_CHECKING:
    from windlass._view import View
    from windlass.scene import Scene

Path = str | os.PathLike[str]


@dataclass(frozen=True)
class Energy:
    """Energies of all bodies, joints and cables [J]."""

    kinetic: float
    potential: float
    elastic: float

    @property
    def total(self) -> float:
        """Their sum [J]."""
        return self.kinetic + self.potential + self.elastic


class Input:
    """An operator control of a simulation: its properties and its present values."""

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation = simulation
        #: Its name in the scene.
        self.name = name
        #: Unit of its numbers, range, initial value and largest rate of change [per s].
        self.unit, self.range, self.rest, self.rate = simulation.input_properties(name)

    @property
    def target(self) -> float:
        """The value it moves to."""
        return self._simulation.input_state(self.name)[0]

    @property
    def value(self) -> float:
        """Its actual value."""
        return self._simulation.input_state(self.name)[1]

    @property
    def held(self) -> bool:
        """Whether it is held: a script is then ignored."""
        return self._simulation.input_state(self.name)[2]

    def set(self, value: float | str | None) -> None:
        """Sets the target, clamped to the range: a number in the input's unit, or a text with a unit. ``None`` releases it."""
        if isinstance(value, str):
            value = self._simulation.input_value(self.name, value)
        self._simulation.set_input(self.name, None if value is None else float(value))

    def release(self) -> None:
        """Releases it: its script or its initial value applies again."""
        self.set(None)

    def __repr__(self) -> str:
        return f"<Input {self.name}: {self.target:g} in {self.range} {self.unit}>"


class Inputs(Mapping[str, Input]):
    """The operator controls by name. ``inputs["hoist"] = 0.5`` sets a target, ``= None`` releases it."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> Input:
        return Input(self._simulation, name)

    def __setitem__(self, name: str, value: float | str | None) -> None:
        if isinstance(value, str):
            value = self._simulation.input_value(name, value)
        self._simulation.set_input(name, None if value is None else float(value))

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulation.names("inputs"))

    def __len__(self) -> int:
        return len(self._simulation.names("inputs"))

    def __repr__(self) -> str:
        return f"<Inputs: {', '.join(self)}>"


class Body:
    """A body of a simulation at its present instant. Vectors are in world axes."""

    def __init__(self, simulation: Simulation, name: str) -> None:
        self._simulation = simulation
        #: Its name in the scene.
        self.name = name
        self._path = f"bodies.{_quoted(name)}"

    def probe(self, quantity: str) -> Array:
        """Any probe of the body: ``"momentum"``, ``"contact_force"``."""
        return self._simulation.values([f"{self._path}.{quantity}"])

    @property
    def position(self) -> Array:
        """Origin of the body's axes [m], (3,)."""
        return self.probe("position")

    @property
    def orientation(self) -> Array:
        """Quaternion (w, x, y, z), body to world."""
        return self.probe("orientation")

    @property
    def velocity(self) -> Array:
        """Velocity of the centre of mass [m/s], (3,)."""
        return self.probe("velocity")

    @property
    def angular_velocity(self) -> Array:
        """Angular velocity [rad/s], (3,)."""
        return self.probe("angular_velocity")

    def __repr__(self) -> str:
        return f"<Body {self.name} at {self.position.tolist()} m>"


class Bodies(Mapping[str, Body]):
    """The bodies of a simulation by name."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation

    def __getitem__(self, name: str) -> Body:
        if name not in self._simulation.names("bodies"):
            raise KeyError(f"no body {name!r}: the bodies are {', '.join(self)}")
        return Body(self._simulation, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._simulation.names("bodies"))

    def __len__(self) -> int:
        return len(self._simulation.names("bodies"))

    def __repr__(self) -> str:
        return f"<Bodies: {', '.join(self)}>"


class Simulation(_core.Machine):
    """A scene and its running world.

    Readings are of the present instant: velocities too, which the integrator ``spook`` stores half a step earlier. One
    thread at a time may use a simulation; different simulations are independent. Steps run without the interpreter lock.
    """

    @property
    def inputs(self) -> Inputs:
        """The operator controls by name."""
        return Inputs(self)

    @property
    def bodies(self) -> Bodies:
        """The bodies by name."""
        return Bodies(self)

    def __setitem__(self, input_name: str, value: float | str | None) -> None:
        self.inputs[input_name] = value

    def __getitem__(self, probe: str) -> Any:
        return self.read(probe)

    @property
    def positions(self) -> Array:
        """Origins of all bodies [m], (bodies, 3), in the order of ``bodies``."""
        return self.of_bodies("position")

    @property
    def orientations(self) -> Array:
        """Quaternions (w, x, y, z) of all bodies, (bodies, 4)."""
        return self.of_bodies("orientation")

    @property
    def velocities(self) -> Array:
        """Velocities of the centres of mass [m/s], (bodies, 3)."""
        return self.of_bodies("velocity")

    @property
    def angular_velocities(self) -> Array:
        """Angular velocities [rad/s], (bodies, 3)."""
        return self.of_bodies("angular_velocity")

    @property
    def energy(self) -> Energy:
        """Energies at the present instant [J]."""
        kinetic, potential, elastic = self.values(["energy.kinetic", "energy.potential", "energy.elastic"]).tolist()
        return Energy(kinetic, potential, elastic)

    def read(self, *probes: str) -> Any:
        """Numbers of probes at the present instant: one number, an array for a vector, or a tuple for several probes."""
        found = [self.values([probe]) for probe in probes]
        shaped = [numbers if numbers.size != 1 else float(numbers[0]) for numbers in found]
        return shaped[0] if len(shaped) == 1 else tuple(shaped)

    def read_all(self, *probes: str) -> dict[str, float]:
        """The same by the names of the columns; without probes, those of the scene."""
        if not probes:
            if not self.names("probes"):
                return {}
            # a log of no steps: the time, then the scene's own
            own, table, _ = super().log(0.0, [])
            return {name: float(number) for (name, *_), number in zip(own[1:], table[0, 1:], strict=True)}
        columns, numbers = self.probe(list(probes))
        return {name: float(number) for (name, _), number in zip(columns, numbers, strict=True)}

    def run(
        self,
        seconds: float | None = None,
        *,
        record: Path | None = None,
        replace: bool = False,
    ) -> Simulation:
        """Takes the steps of a duration [s]; by default, of the scene's. ``record`` writes every frame to a file.

        A fault raises `Fault`; the state is then the last valid one. Ctrl-C raises `KeyboardInterrupt` between two steps.
        """
        duration = self.duration if seconds is None else float(seconds)
        if record is None:
            self.advance(duration)
            return self
        self.start_recording(os.fspath(record), replace)
        try:
            self.advance(duration)
        finally:
            self.stop_recording()
        return self

    def log(  # type: ignore[override]
        self,
        seconds: float | None = None,
        probes: Sequence[str] | str | None = None,
        every: float | None = None,
    ) -> Log:
        """Takes the steps of a duration [s] and reads probes: at the start, then at each step, or each first step that
        reaches a multiple of ``every`` [s]. Without probes: those of the scene, else everything.

        If the run ends early, the exception has the log so far as its attribute ``log``.
        """
        texts = [probes] if isinstance(probes, str) else list(probes or [])
        duration = self.duration if seconds is None else float(seconds)
        columns, table, ended = super().log(duration, texts, every)
        log = Log(columns, table)
        if ended is not None:
            ended.log = log  # type: ignore[attr-defined]
            raise ended
        return log

    def set(self, key: str, value: Value) -> bool:
        """Changes a value of the scene while it runs, as `--set` of `windlass branch` does.

        Returns whether the run continues; false if the change makes it start again.
        """
        return self.change(key, toml(value))

    @property
    def state(self) -> State:
        """A snapshot of the complete state: it can be compared, hashed, pickled, and set again, bit for bit."""
        return self.save()

    @state.setter
    def state(self, state: State) -> None:
        self.restore(state)

    def reset(self) -> None:
        """Back to the start of the scene."""
        self.restart()

    def fork(self) -> Simulation:
        """A simulation with the same model and a copy of the state. Nothing is read or built."""
        other = _bare()
        other.become_fork(self)
        return other

    def picture(self, camera: str | None = None, size: tuple[float, float] = (960, 640)) -> Picture:
        """A drawing of the present instant, by a camera of the scene or its default view."""
        return Picture(self.svg(camera, size))

    def view(self) -> View:
        """Starts the studio with this scene, with its overrides and edits. A notebook shows a picture of the present instant
        and a link to the studio; `View.open` opens it in a browser, `View.close` ends it.

        The studio runs in a process of its own, from the start of the scene.
        """
        from windlass._view import view

        return view(self)

    def _repr_svg_(self) -> str:
        return self.svg(None, (720, 480))

    def __repr__(self) -> str:
        return f"<Simulation {self.file} at {self.time:g} s: {len(self.bodies)} bodies, inputs {', '.join(self.inputs)}>"

    def __copy__(self) -> Simulation:
        return self.fork()

    def __deepcopy__(self, memo: Any) -> Simulation:
        return self.fork()

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a simulation cannot be pickled: pickle `state`, and load the scene again")


def load(scene: Path | Scene, set: Mapping[str, Value] | None = None) -> Simulation:  # noqa: A002
    """Reads and builds a scene: a file, or a `Scene` made in Python. ``set`` overrides values of its text.

    Errors of the scene raise `SceneError` with file, line, column and remedy of each.
    """
    from windlass.scene import Scene

    if isinstance(scene, Scene):
        return Simulation(text=(scene.to_toml(), scene.name), overrides=overrides(set))
    return Simulation(path=os.fspath(scene), overrides=overrides(set))


def _bare() -> Simulation:
    """A simulation of nothing, to become another."""
    return Simulation(text=("windlass = 2\n", "scene.toml"))


def _quoted(name: str) -> str:
    """A name in a probe."""
    if not any(c in name for c in '.,()="\'*') and name.strip() == name:
        return name
    return f"'{name}'" if '"' in name else f'"{name}"'


__all__ = ["Bodies", "Body", "Energy", "Input", "Inputs", "Simulation", "load"]
