"""Linearisation, modes, equilibria and identification."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from windlass import _core
from windlass._core import State
from windlass._values import Value, overrides
from windlass.log import Array
from windlass.simulation import Path, Simulation

if TYPE_CHECKING:
    from windlass.scene import Scene


@dataclass(frozen=True)
class Model:
    """Matrices of a linear model in continuous time, ẋ = A x + B u, y = C x + D u."""

    A: Array
    B: Array
    C: Array
    D: Array


@dataclass(frozen=True)
class BodyShape:
    """The motion of a body in a mode: complex displacement of its centre of mass and rotation vector, (3,)."""

    displacement: npt.NDArray[np.complex128]
    rotation: npt.NDArray[np.complex128]
    #: Its part of the kinetic energy of the mode.
    energy: float


@dataclass(frozen=True)
class Mode:
    """A mode of a linear model."""

    #: ``"oscillating"``, ``"decaying"``, ``"rigid body"``, ``"alternating"`` or ``"ends within a step"``.
    kind: str
    #: Damped frequency [Hz].
    frequency: float
    #: 0 undamped, 1 critical, negative where it grows.
    damping_ratio: float
    #: The amplitude decays by e^(−decay t) [1/s].
    decay: float
    #: Of A.
    eigenvalue: complex
    #: The motion of every body.
    shape: dict[str, BodyShape]


class Linearization(_core.Linearization):
    """The linear map of one step about a state: x⁺ = A x + B u, y = C x + D u, all as deviations.

    x has the values of the coordinates, then their rates as the integrator stores them: under ``spook`` those of ``lag``
    before the values. Matrices in continuous time, by `continuous`, have both at one instant.
    """

    @property
    def A(self) -> Array:  # noqa: N802
        """(states, states)."""
        return self.matrices()[0]

    @property
    def B(self) -> Array:  # noqa: N802
        """(states, inputs)."""
        return self.matrices()[1]

    @property
    def C(self) -> Array:  # noqa: N802
        """(outputs, states)."""
        return self.matrices()[2]

    @property
    def D(self) -> Array:  # noqa: N802
        """(outputs, inputs)."""
        return self.matrices()[3]

    @property
    def states(self) -> list[str]:
        """Names of x: values, then rates."""
        return [name for name, _ in self.names()[0]]

    @property
    def inputs(self) -> list[str]:
        """Names of u."""
        return [name for name, _ in self.names()[1]]

    @property
    def outputs(self) -> list[str]:
        """Names of y."""
        return [name for name, _ in self.names()[2]]

    def continuous(self, method: str = "logarithm") -> Model:
        """The model in continuous time, by the ``"logarithm"`` of the matrix or the ``"bilinear"`` transform."""
        if method not in ("logarithm", "bilinear"):
            raise ValueError(f'method {method!r}: give "logarithm" or "bilinear"')
        return Model(*self.continuous_matrices(method == "bilinear"))

    def modes(self) -> list[Mode]:
        """The modes: rigid-body modes, oscillating ones by frequency, then decaying ones."""
        return [_mode(table) for table in self.mode_tables()]

    def __repr__(self) -> str:
        return f"<Linearization: states {', '.join(self.states)}; inputs {', '.join(self.inputs)}>"


def _mode(table: Mapping[str, Any]) -> Mode:
    def vector(parts: tuple[Sequence[float], Sequence[float]]) -> npt.NDArray[np.complex128]:
        return np.array(parts[0]) + 1j * np.array(parts[1])

    shape = {name: BodyShape(vector(d), vector(r), energy) for name, (d, r), energy in table["shape"]}
    eigenvalue = complex(*table["eigenvalue"])
    return Mode(table["kind"], table["frequency"], table["damping_ratio"], table["decay"], eigenvalue, shape)


def linearize(
    simulation: Simulation,
    inputs: Sequence[str] | str = (),
    outputs: Sequence[str] | str = (),
    step: float | None = None,
) -> Linearization:
    """Linearises the step of a simulation about its present state. The simulation does not change."""
    return Linearization(simulation, _names(inputs), _names(outputs), step)


def _names(given: Sequence[str] | str) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def modes(simulation: Simulation) -> list[Mode]:
    """The modes about the present state."""
    return linearize(simulation).modes()


@dataclass(frozen=True)
class Equilibrium:
    """A static equilibrium."""

    #: At rest, inputs held.
    state: State
    #: Values of the coordinates by name.
    coordinates: dict[str, float]
    #: Values of the free inputs.
    inputs: dict[str, float]
    #: Coordinates that nothing holds where they are.
    indifferent: list[str]
    #: Largest acceleration left [m/s² or rad/s²].
    residual: float


def trim(simulation: Simulation, free_inputs: Sequence[str] | str = ()) -> Equilibrium:
    """A static equilibrium near the present state, by moving the coordinates and the free inputs. The simulation does not
    change: set its ``state``. Raises `RuntimeError` if there is none nearby.
    """
    found = _core.find_equilibrium(simulation, _names(free_inputs))
    if not found["converged"]:
        raise RuntimeError(f"no equilibrium found: the largest acceleration left is {found['residual']:.3g} m/s² or rad/s²")
    return Equilibrium(
        found["state"], dict(found["coordinates"]), dict(found["inputs"]), found["indifferent"], found["residual"]
    )


@dataclass(frozen=True)
class Estimate:
    """A fitted parameter. Deviation and interval are ``None`` if the data do not determine it."""

    value: float
    unit: str
    deviation: float | None
    interval: tuple[float, float] | None
    at_bound: bool


@dataclass(frozen=True)
class Fit:
    """Parameters of a scene that fit data best."""

    estimates: dict[str, Estimate]
    #: Groups of parameters that the data cannot tell apart, with the change of each that together changes nothing.
    indistinct: list[tuple[list[str], list[float]]]
    #: Root mean square of the residuals of each measure.
    rms: list[float]
    correlation: Array
    iterations: int
    converged: bool

    def __getitem__(self, key: str) -> float:
        return self.estimates[key].value


def _bounds(key: str, bounds: tuple[float, float] | str) -> str:
    if isinstance(bounds, str):
        return bounds
    try:
        low, high = bounds
        return f"{float(low)!r}..{float(high)!r}"
    except (TypeError, ValueError):
        raise ValueError(f'the bounds of "{key}" are {bounds!r}: give two numbers, or a text such as "0.5..4 t"') from None


def fit(
    scene: Path | Scene,
    data: Mapping[str, npt.ArrayLike],
    parameters: Mapping[str, tuple[float, float] | str],
    *,
    inputs: Mapping[str, npt.ArrayLike] | None = None,
    set: Mapping[str, Value] | None = None,  # noqa: A002
) -> Fit:
    """Fits parameters of a scene to measured data by damped Gauss–Newton, with confidence intervals.

    ``data`` has a column ``"time"`` [s] and one per probe; a `Log` will do. ``parameters`` has bounds by key: two numbers
    or a text with units, ``"0.5..4 t"``. ``inputs`` has the targets of inputs at the times.
    """
    from windlass.scene import Scene

    columns = {name: np.asarray(values, dtype=float).tolist() for name, values in data.items()}
    if "time" not in columns:
        raise ValueError('the data have no column "time"')
    times = columns.pop("time")
    if any(np.ndim(values) != 1 for values in data.values()):
        raise ValueError("a column of the data is a list of numbers, one per time")
    ranges = [f"{key}={_bounds(key, bounds)}" for key, bounds in parameters.items()]
    moved = [(name, np.asarray(values, dtype=float).tolist()) for name, values in (inputs or {}).items()]
    text = (scene.to_toml(), scene.name) if isinstance(scene, Scene) else None
    path = None if isinstance(scene, Scene) else os.fspath(scene)
    found = _core.fit_parameters(path, text, overrides(set), times, list(columns.items()), moved, ranges)
    estimates = {key: Estimate(value, unit, *rest) for key, unit, value, *rest in found["estimates"]}
    return Fit(
        estimates, found["indistinct"], found["rms"], np.array(found["correlation"]), found["iterations"], found["converged"]
    )


__all__ = ["BodyShape", "Equilibrium", "Estimate", "Fit", "Linearization", "Mode", "Model", "fit", "linearize", "modes", "trim"]
