"""The studio in a notebook cell."""

from __future__ import annotations

import atexit
import re
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.simulation import Simulation


class View:
    """A studio that runs in a process of its own, shown in a frame. It ends with this process, or with `close`."""

    def __init__(self, process: subprocess.Popen[str], url: str, height: int) -> None:
        self._process = process
        #: Where the studio is. The address contains its token.
        self.url = url
        self._height = height
        atexit.register(self.close)

    def close(self) -> None:
        """Ends the studio."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=10)

    def _repr_html_(self) -> str:
        return f'<iframe src="{self.url}" style="width:100%;height:{self._height}px;border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<View of the studio, {'closed' if self._process.poll() is not None else 'open'}>"


def view(simulation: Simulation, height: int) -> View:
    """Starts a studio with the scene of a simulation."""
    path = Path(simulation.file)
    if not path.is_file():
        folder = Path(tempfile.mkdtemp(prefix="windlass-"))
        path = folder / "scene.toml"
        path.write_text(simulation.text, encoding="utf-8")
    import os

    environment = {**os.environ, "WINDLASS_TOKEN": secrets.token_hex(16)}
    command = [sys.executable, "-m", "windlass", "studio", str(path), "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"https?://\S+", line)
    if found is None:
        process.terminate()
        raise RuntimeError(f"the studio did not start: {line.strip() or 'see its messages above'}")
    return View(process, found.group(), height)
