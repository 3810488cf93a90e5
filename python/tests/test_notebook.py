"""The tutorial notebook is valid, has no stored outputs, and runs."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "docs" / "python" / "tutorial.ipynb"

#: Prints what the test compares.
RESULTS = """
import json
print(json.dumps({"period": period, "closed_form": closed_form, "best": best, "plots": plt is not None}))
"""


def test_the_notebook_has_no_outputs_and_nothing_of_a_machine() -> None:
    book = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert (book["nbformat"], set(book["metadata"])) == (4, {"kernelspec", "language_info"})
    assert book["metadata"]["language_info"] == {"name": "python"}
    code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
    assert len(code) > 12 and all(not cell["outputs"] and cell["execution_count"] is None for cell in code)
    assert all(not cell["metadata"] for cell in book["cells"])


def test_the_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nbformat = pytest.importorskip("nbformat", reason="pip install nbclient ipykernel")
    nbclient = pytest.importorskip("nbclient", reason="pip install nbclient ipykernel")
    pytest.importorskip("ipykernel", reason="pip install nbclient ipykernel")
    # the kernel writes its files here, and draws into its cells
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR", "TMPDIR"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.delenv("MPLBACKEND", raising=False)
    book = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(book)
    book.cells.append(nbformat.v4.new_code_cell(RESULTS))
    # an error of a cell is an exception of nbclient, with its traceback
    client = nbclient.NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
    found: dict[str, Any] = json.loads(book.cells[-1].outputs[0]["text"])
    assert found["period"] == pytest.approx(found["closed_form"], rel=1e-5)
    # the period of the pendulum of 8 m is 5.67 s: the nearest row
    assert found["best"] in (5.5, 5.75)
    assert found["plots"] == (importlib.util.find_spec("matplotlib") is not None)
    drawings = [o for cell in book.cells for o in cell.get("outputs", []) if "image/svg+xml" in o.get("data", {})]
    assert len(drawings) >= 2, "the simulation and a log are shown"
