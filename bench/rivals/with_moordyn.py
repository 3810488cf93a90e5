"""MoorDyn: its line of lumped masses in air, RK4; its stock RK2 at CFL 0.5 diverges for a line that no water damps."""

import os
import tempfile

import moordyn as md
import numpy as np

from clock import Run
from scenes import G

DEPTH = 10.0  # how far below the surface the line's top is: water as thin as 1e-6 does not matter


def deck(scene, n, load):
    x, y, z = load.at
    return f"""--- a swinging hoist ---
---------------------- LINE TYPES ----------------------
TypeName  Diam  Mass/m  EA  BA/-zeta  EI  Cd  Ca  CdAx  CaAx
(name)  (m)  (kg/m)  (N)  (N-s/-)  (N-m^2)  (-)  (-)  (-)  (-)
rope  0.0001  {n / scene.length}  {scene.cable.stretch}  -0.05  0  0  0  0  0
---------------------- POINTS ----------------------
ID  Type  X  Y  Z  Mass  Volume  CdA  Ca
(#)  (name)  (m)  (m)  (m)  (kg)  (m^3)  (m^2)  (-)
1  Fixed  0  0  {-DEPTH}  0  0  0  0
2  Free  {x}  {y}  {z - DEPTH}  {load.mass}  0  0  0
---------------------- LINES ----------------------
ID  LineType  AttachA  AttachB  UnstrLen  NumSegs  Outputs
(#)  (name)  (#)  (#)  (m)  (-)  (-)
1  rope  1  2  {scene.length}  {n}  -
---------------------- OPTIONS ----------------------
0  writeLog
{G}  g
1e-6  WtrDnsty
1000  WtrDpth
0.1  CFL
RK4  tScheme
0  TmaxIC
---------------------- END ----------------------
"""


def cable(scene, dt, steps, every, budget):
    n, load = len(scene.bodies) - 1, scene.bodies[-1]
    mass = np.ones(n + 1)
    mass[[0, -1]] = 0.5
    mass[-1] += load.mass
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "hoist.txt")
        with open(path, "w") as out:
            out.write(deck(scene, n, load))
        system = md.Create(path)
        md.SetVerbosity(system, 0)
        md.Init_NoIC(system, [], [])
        line = md.GetLine(system, 1)

        def look():
            at = np.array([md.GetLineNodePos(line, k) for k in range(n + 1)]) + [0, 0, DEPTH]
            speed = np.array([md.GetLineNodeVel(line, k) for k in range(n + 1)])
            return np.append(at, 0.5 * (mass * (speed**2).sum(1)).sum() + (mass * G * at[:, 2]).sum())

        first = look()
        run = Run(steps, every, budget).go(lambda k: md.Step(system, [], [], k * dt, dt), look)
        md.Close(system)
    return np.vstack([first, *run.rows]), np.array(run.times)
