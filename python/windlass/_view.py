"""The studio of a simulation, beside a notebook or a script.

The studio does not allow pages to frame it (docs/studio-security.md), so a cell shows a picture and a link, which opens the
studio in a page of its own.
"""

from __future__ import annotations

import atexit
import html
import os
import re
import secrets
import subprocess
import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from windlass.simulation import Simulation


class View:
    """A studio that runs in a process of its own. It ends with this process, or with `close`."""

    def __init__(self, process: subprocess.Popen[str], url: str, svg: str) -> None:
        self._process = process
        #: Where the studio is. The address contains its token.
        self.url = url
        self._svg = svg
        atexit.register(self.close)

    def open(self) -> bool:
        """Opens the studio in a browser of this machine; returns whether there is one."""
        return webbrowser.open(self.url)

    def close(self) -> None:
        """Ends the studio."""
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(timeout=10)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _repr_html_(self) -> str:
        link = f'<a href="{html.escape(self.url)}" target="_blank" rel="noopener noreferrer">Open the studio</a>'
        return f"<div>{self._svg}</div><p>{link}. It runs on the machine of the notebook until it is closed or the kernel ends.</p>"

    def __repr__(self) -> str:
        state = "closed" if self._process.poll() is not None else f"at {self.url}"
        return f"<View: the studio is {state}>"


def view(simulation: Simulation) -> View:
    """Starts a studio with the scene of a simulation."""
    path = Path(simulation.file)
    # the studio reads a file: one with the overrides and edits, if there are any
    if not path.is_file() or simulation.overrides():
        path = Path(tempfile.mkdtemp(prefix="windlass-")) / (path.name or "scene.toml")
        path.write_text(simulation.expanded_text(), encoding="utf-8")
    environment = {**os.environ, "WINDLASS_TOKEN": secrets.token_hex(16)}
    command = [sys.executable, "-m", "windlass", "studio", str(path), "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    line = process.stdout.readline()
    found = re.search(r"https?://\S+", line)
    if found is None:
        process.terminate()
        process.wait(timeout=10)
        process.stdout.close()
        raise RuntimeError(f"the studio did not start: {line.strip() or 'see its messages above'}")
    return View(process, found.group(), simulation.svg(None, (720, 480)))
