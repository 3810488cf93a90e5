"""Sweeps: many runs of one scene as rows of one table, on threads, on a cluster, or on any executor.

A row depends on its index alone, so every executor gives the same table, byte for byte.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from windlass import _core
from windlass._values import Value, overrides, toml
from windlass.batch import MOST_THREADS
from windlass.simulation import Path

if TYPE_CHECKING:
    from windlass.scene import Scene

#: What varies: a list of values, or a text after the key as the command takes it: ``"0.5 t..6 t:12"``, ``"~normal(2 t, 200 kg)"``.
Varied = str | Sequence[Value] | npt.NDArray[Any]

#: Columns of text; an empty message is an empty text.
TEXTS = ("status", "message", "hash")

#: The last sweep of this process, by its description and the header of its table, which has a digest of all files.
_prepared: dict[tuple[Any, ...], _core.Sweep] = {}


class Table(Mapping[str, npt.NDArray[Any]]):
    """The rows of a sweep, by columns. `csv` is the text that ``windlass sweep`` writes."""

    def __init__(self, text: str, varied: Sequence[tuple[str, str]], measured: Sequence[tuple[str, str]]) -> None:
        #: The text of the table.
        self.csv = text
        #: Units of the columns of values and measures.
        self.units: dict[str, str] = {name: unit for name, unit in [*varied, *measured]}
        #: Names of the columns of varied values, and of measures.
        self.varied, self.measures = [name for name, _ in varied], [name for name, _ in measured]
        rows = list(csv.reader(io.StringIO("".join(text.splitlines(keepends=True)[2:]))))
        self._names = ["index", *self.varied, *self.measures, "status", "message", "hash"]
        columns = {name: [row[k] for row in rows] for k, name in enumerate(self._names)}
        # the digits of a hash may be those of a number
        self._columns = {name: np.array(cells) if name in TEXTS else _numbers(cells) for name, cells in columns.items()}

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name not in self._columns:
            raise KeyError(f"no column {name!r}: the columns are {', '.join(self._names)}")
        return self._columns[name]

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @property
    def ok(self) -> npt.NDArray[np.bool_]:
        """The rows whose runs are complete."""
        mask: npt.NDArray[np.bool_] = self["status"] == "ok"
        return mask

    def save(self, path: Path) -> None:
        """Writes the table: the file that ``windlass sweep -o`` writes, or Parquet if the name ends in ``.parquet``, which
        needs pyarrow.
        """
        if os.fspath(path).lower().endswith(".parquet"):
            self._save_parquet(path)
            return
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.csv)

    def _save_parquet(self, path: Path) -> None:
        """The columns as they are here, with their units in the metadata of the file."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise ImportError(
                f"{os.fspath(path)}: Parquet needs pyarrow: pip install pyarrow, or give a name that ends in .csv"
            ) from None
        table = pyarrow.table({name: pyarrow.array(column.tolist()) for name, column in self.items()})
        units = {f"unit:{name}": unit for name, unit in self.units.items()}
        pyarrow.parquet.write_table(table.replace_schema_metadata(units), os.fspath(path))

    def to_pandas(self) -> Any:
        """A data frame. Needs pandas."""
        import pandas

        return pandas.DataFrame(dict(self)).set_index("index")

    def __repr__(self) -> str:
        return f"<Table of {len(self['index'])} rows: {', '.join(self._names)}>"


def _numbers(cells: list[str]) -> npt.NDArray[Any]:
    """A column as numbers if all its cells are; an empty cell is NaN."""
    try:
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return np.array(cells)


def _entry(key: str, values: Varied) -> str:
    if isinstance(values, str):
        return f"{key}{values}" if values.lstrip().startswith(("~", "=")) else f"{key}={values}"
    if isinstance(values, Mapping) or not isinstance(values, Iterable):
        raise TypeError(f"{key}: give a list of values, or a text such as \"1..2:5\", not {type(values).__name__}")
    return f"{key}={toml(list(values))}"


def _prepare(description: tuple[Any, ...]) -> _core.Sweep:
    """The sweep of a description, with the present contents of its files; a process keeps the last."""
    path, text, set_, vary, measure, samples, method, seed, duration = description
    prepared = _core.Sweep(path, text, list(set_), list(vary), list(measure), samples, method, seed, duration)
    _prepared.clear()
    _prepared[description, prepared.header()] = prepared
    return prepared


def _chunk(description: tuple[Any, ...], header: str, start: int, stop: int) -> str:
    """The lines of some rows, in the process of an executor."""
    prepared = _prepared.get((description, header))
    if prepared is None:
        prepared = _prepare(description)
    if prepared.header() != header:
        raise RuntimeError("files of the scene, or the version of windlass, are not those of the process that began the sweep")
    return prepared.lines(start, stop, 1)


def sweep(
    scene: Path | Scene,
    vary: Mapping[str, Varied],
    measure: str | Sequence[str] = (),
    *,
    set: Mapping[str, Value] | None = None,  # noqa: A002
    samples: int | None = None,
    method: str = "random",
    seed: int = 0,
    duration: float | None = None,
    executor: Executor | str | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
) -> Table:
    """Runs a scene once per row and measures each run.

    ``vary`` has lists of values, ranges ``"0.5 t..6 t:12"`` and distributions ``"~uniform(0, 1)"`` by key; lists and ranges
    cross. ``measure`` has texts such as ``"max(cables.hoist.tension)"``; without, the scene's probes at the end.
    ``executor`` is ``None`` for threads of the library, ``"ray"`` for the cluster of `ray.init`, or any
    `concurrent.futures.Executor`; files must then be where its workers read them. ``chunk`` is the rows per task.
    """
    from windlass.scene import Scene

    text = (scene.to_toml(), scene.name) if isinstance(scene, Scene) else None
    path = None if isinstance(scene, Scene) else os.path.abspath(os.fspath(scene))
    measures = [measure] if isinstance(measure, str) else list(measure)
    description = (
        path, text, tuple(overrides(set)), tuple(_entry(key, values) for key, values in vary.items()),
        tuple(measures), samples, method, seed, duration,
    )  # fmt: skip
    if jobs is not None and not 1 <= jobs <= MOST_THREADS:
        raise ValueError(f"{jobs} jobs: give 1 to {MOST_THREADS}")
    if chunk is not None and chunk < 1:
        raise ValueError(f"{chunk} rows per task: give 1 or more")
    prepared = _prepare(description)
    rows, header = len(prepared), prepared.header()
    if executor is None:
        lines: Iterable[str] = [prepared.lines(0, rows, jobs or os.cpu_count() or 1)]
    else:
        size = chunk or max(1, min(250, rows // 8))
        parts = [(start, min(start + size, rows)) for start in range(0, rows, size)]
        by = _by_ray if executor == "ray" else _by_executor
        lines = by(executor, description, header, parts)
    return Table(header + "".join(lines), *prepared.columns())


def _by_executor(
    executor: Executor | str, description: tuple[Any, ...], header: str, parts: list[tuple[int, int]]
) -> list[str]:
    if not isinstance(executor, Executor):
        raise TypeError('executor is None, "ray" or a concurrent.futures.Executor')
    futures = [executor.submit(_chunk, description, header, start, stop) for start, stop in parts]
    return [future.result() for future in futures]


def _by_ray(
    executor: Executor | str, description: tuple[Any, ...], header: str, parts: list[tuple[int, int]]
) -> list[str]:
    import ray

    if not ray.is_initialized():
        ray.init()
    # the description is sent once
    shared, remote = ray.put(description), ray.remote(_chunk)
    lines: list[str] = ray.get([remote.remote(shared, header, start, stop) for start, stop in parts])
    return lines


__all__ = ["Table", "sweep"]
