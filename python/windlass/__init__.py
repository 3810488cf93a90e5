"""Windlass: real-time multibody simulation of cranes, cables, mechanisms, vehicles, soil and water.

Units are SI, axes are right-handed with z up, quaternions are (w, x, y, z). A number of a scene may also be a text with
a unit, such as ``"6 t"``.

>>> import windlass as wl
>>> crane = wl.load("crane.toml", set={"bodies.load.mass": "6 t"})
>>> crane.inputs["hoist"] = 0.5
>>> log = crane.log(10, ["bodies.load.position.z", "joints.hoist.tension"])
"""

from windlass._core import VERSION as __version__
from windlass._core import Fault, ProbeError, SceneError, State, probe_catalogue
from windlass.analysis import Fit, Linearization, Mode, fit, linearize, modes, trim
from windlass.batch import Batch, Binding
from windlass.log import Log
from windlass.recording import Recording
from windlass.recording import open_recording as open
from windlass.scene import Scene
from windlass.simulation import Body, Energy, Input, Simulation, load
from windlass.sweeps import Table, sweep

__all__ = [
    "Batch",
    "Binding",
    "Body",
    "Energy",
    "Fault",
    "Fit",
    "Input",
    "Linearization",
    "Log",
    "Mode",
    "ProbeError",
    "Recording",
    "Scene",
    "SceneError",
    "Simulation",
    "State",
    "Table",
    "__version__",
    "fit",
    "linearize",
    "load",
    "modes",
    "open",
    "probe_catalogue",
    "sweep",
    "trim",
]
