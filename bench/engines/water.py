"""Scenes in water, independent of any engine, and their closed forms: a mooring line (W1) and single bodies (W2).

Gravity is 9.81 m/s2, z is up and 0 at the still water level. `write` is what `windlass-bench immerse` reads.
"""

import math
from dataclasses import dataclass

import numpy as np

G = 9.81
FRESH, SEA, STEEL = 1000.0, 1025.0, 7850.0


def numbers(*values):
    return " ".join(repr(float(x)) for x in values)


def smooth(s):
    """From 0 to 1 without velocity and acceleration at both ends."""
    s = min(max(s, 0.0), 1.0)
    return s**3 * (10 - 15 * s + 6 * s * s)


@dataclass
class Mooring:
    """FL14: 300 m of chain of 126 kg/m, an anchor on a frictionless sea bed, a fairlead 260 m away and 100 m higher.

    The fairlead is 10 m below the still water level, so that no part of the line pierces the surface."""

    case: str  # "static", "held" in waves, "driven" in waves on a circle
    elements: int = 60
    wide = 4  # numbers per row: force on the fairlead, length on the sea bed
    mass, stretch, length = 126.0, 5e8, 300.0
    diameter = math.sqrt(126.0 / (math.pi / 4 * STEEL))
    drag, added = (2.4, 1.15), (1.0, 0.5)  # normal on D, tangential on pi D; normal, tangential
    depth, fairlead = 110.0, (260.0, 0.0, -10.0)
    period, ramp = 8.0, 16.0

    @property
    def height(self):
        return 0.0 if self.case == "static" else 4.0

    @property
    def radius(self):
        return 1.0 if self.case == "driven" else 0.0

    def position(self, t):
        """Of the fairlead."""
        w, grow = 2 * math.pi / self.period, self.radius * smooth(t / self.ramp)
        x, y, z = self.fairlead
        return np.array([x + grow * math.sin(w * t), y, z + grow * math.cos(w * t)])

    def write(self, path, dt, steps, every, budget):
        with open(path, "w") as out:
            print("run", numbers(dt), steps, every, numbers(budget), file=out)
            print("mooring", self.elements, numbers(
                self.mass, self.stretch, self.diameter, self.length, *self.drag, *self.added, SEA, G,
                self.depth, *self.fairlead, self.height, self.period, self.radius, self.ramp), file=out)

    def catenary(self):
        """Tension at the fairlead, its horizontal part, length on the sea bed: elastic catenary with touchdown."""
        from scipy.optimize import fsolve
        w = (self.mass - SEA * math.pi / 4 * self.diameter**2) * G
        across, up = self.fairlead[0], self.fairlead[2] + self.depth

        def misfit(x):
            h, hung = x[0] * 1e5, x[1] * 100
            v, ea = w * hung, self.stretch
            run = h / w * math.asinh(v / h) + h * hung / ea + (self.length - hung) * (1 + h / ea)
            rise = h / w * (math.sqrt(1 + (v / h) ** 2) - 1) + v * v / (2 * w * ea)
            return [run - across, rise - up]

        h, hung = fsolve(misfit, [1.2, 1.8], xtol=1e-13) * [1e5, 100]
        return math.hypot(h, w * hung), h, self.length - hung


@dataclass
class Floating:
    """An ellipsoid in unbounded water, free or on an arm with a hinge about y at the origin."""

    case: str
    axes: tuple = (0.1, 0.1, 0.1)
    density: float = 2000.0
    water: float = FRESH
    gravity: float = G
    drag: tuple = (0.0, 0.0, 0.0)  # C_D along the axes, on the projected area
    turn: tuple = (1.0, 0.0, 0.0, 0.0)
    velocity: tuple = (0.0, 0.0, 0.0)
    spin: tuple = (0.0, 0.0, 0.0)
    stream: tuple = (0.0, 0.0, 0.0)
    arm: float = 0.0
    lean: float = 0.0
    seconds: float = 1.0
    count: int = 1
    wide = 16  # numbers per row: centre, quaternion, velocity, angular velocity, acceleration

    @property
    def volume(self):
        a, b, c = self.axes
        return 4 / 3 * math.pi * a * b * c

    @property
    def mass(self):
        return self.density * self.volume

    @property
    def inertia(self):
        x, y, z = (a * a for a in self.axes)
        return tuple(self.mass / 5 * s for s in (y + z, z + x, x + y))

    @property
    def areas(self):
        a, b, c = self.axes
        return tuple(k * math.pi * s for k, s in zip(self.drag, (b * c, c * a, a * b)))

    @property
    def at(self):
        return (self.arm * math.sin(self.lean), 0.0, -self.arm * math.cos(self.lean))

    def write(self, path, dt, steps, every, budget):
        with open(path, "w") as out:
            print("run", numbers(dt), steps, every, numbers(budget), file=out)
            print("floating", self.count, numbers(
                *self.axes, self.mass, self.water, self.gravity, *self.areas, *self.turn, *self.velocity,
                *self.spin, *self.stream, self.arm, self.lean), file=out)


def about(axis, angle):
    axis = np.array(axis, float)
    return (math.cos(angle / 2), *(math.sin(angle / 2) * axis))


def rotation_vector(*v):
    angle = float(np.linalg.norm(v))
    return about(np.array(v) / angle, angle)


FL10 = rotation_vector(0.3, -0.2, 0.5)
BODIES = {
    "sinks": Floating("sinks", drag=(0.47,) * 3, seconds=6.0),
    "rises": Floating("rises", density=50.0, seconds=0.1),
    "stops": Floating("stops", density=1e-3 / (4 / 3 * math.pi * 1e-3), gravity=0.0, drag=(0.35,) * 3, velocity=(50.0, 0.0, 0.0)),
    "broadside": Floating("broadside", axes=(0.3, 0.1, 0.1), drag=(1.0,) * 3, seconds=6.0),
    "disc": Floating("disc", axes=(0.5, 0.5, 0.05), density=2700.0, turn=about((0, 1, 0), math.radians(30)), seconds=0.1),
    "swings": Floating("swings", axes=(1.0, 0.25, 0.25), density=1000.0, gravity=0.0, turn=about((0, 0, 1), math.radians(80)),
                       velocity=(1.02169622, 0.12304537, 0.0), seconds=20.0),
    "tumbles": Floating("tumbles", axes=(0.6, 0.3, 0.2), density=1000.0, gravity=0.0, turn=FL10, velocity=(1.0, 0.2, -0.1),
                        spin=(0.5, 1.0, -0.3), seconds=5.0),
    "pendulum": Floating("pendulum", density=7850.0, arm=2.0, lean=math.radians(30), seconds=18.0),
    "towed": Floating("towed", density=7850.0, arm=2.0, drag=(0.47,) * 3, stream=(3.0, 0.0, 0.0), seconds=60.0),
    "spins": Floating("spins", density=1000.0, gravity=0.0, drag=(0.47,) * 3, velocity=(5.0, 0.0, 0.0), spin=(0.0, 0.0, 20.0)),
}


def period(times, values):
    """Of an oscillation about 0, from crossings in one direction, by linear interpolation."""
    v = np.asarray(values)
    k = np.nonzero((v[:-1] < 0) & (v[1:] >= 0))[0]
    crossings = times[k] - v[k] * (times[k + 1] - times[k]) / (v[k + 1] - v[k])
    return float(np.mean(np.diff(crossings))) if len(crossings) > 1 else math.nan


def axis_x(q):
    w, x, y, z = q.T
    return np.stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)], axis=1)


def evaluate(scene, dt, rows):
    """Rows at the start and after each step -> {quantity: (value, closed form)}."""
    t = dt * np.arange(len(rows))
    at, turn, velocity, acceleration = rows[:, :3], rows[:, 3:7], rows[:, 7:10], rows[:, 13:16]
    when = lambda time: min(len(rows) - 1, round(time / dt))
    net, c = (scene.density - scene.water) * scene.volume * scene.gravity, 0.5 * scene.water * scene.areas[0]
    heavy = scene.mass + 0.5 * scene.water * scene.volume  # with added mass of a sphere
    if scene.case == "sinks":
        end = math.sqrt(net / c)
        tau = heavy * end / net
        return {"acceleration at the start": (-acceleration[0, 2], net / heavy),
                "speed at 0.2 s": (-velocity[when(0.2), 2], end * math.tanh(0.2 / tau)),
                "depth at 1 s": (-at[when(1.0), 2], end * tau * math.log(math.cosh(1 / tau))),
                "terminal speed": (-velocity[-1, 2], end)}
    if scene.case == "rises":
        return {"acceleration at the start": (acceleration[0, 2], -net / heavy),
                "rise in 0.1 s": (at[when(0.1), 2], -0.5 * net / heavy * t[when(0.1)] ** 2)}
    if scene.case == "stops":
        return {"travel in 1 s": (at[-1, 0], heavy / c * math.log(1 + c * 50.0 / heavy)),
                "speed at 1 s": (velocity[-1, 0], 1 / (1 / 50.0 + c / heavy))}
    if scene.case == "broadside":
        return {"terminal speed": (-velocity[-1, 2], math.sqrt(net / (0.5 * scene.water * scene.areas[2])))}
    if scene.case == "disc":
        return {"acceleration along x": (acceleration[0, 0], 1.78964), "acceleration along z": (acceleration[0, 2], -2.91041)}
    if scene.case == "swings":
        from scipy.special import ellipk
        mass, fast, slow, turning = scene.mass, 21.35164, 225.08479, 33.82103
        inertia, m1, m2 = scene.inertia[1] + turning, scene.mass + fast, mass + slow
        impulse = math.hypot(m1 * (1.02169622 * math.cos(math.radians(80)) + 0.12304537 * math.sin(math.radians(80))),
                             m2 * (-1.02169622 * math.sin(math.radians(80)) + 0.12304537 * math.cos(math.radians(80))))
        rate = math.sqrt(impulse**2 * (1 / m1 - 1 / m2) / inertia)
        return {"period": (period(t, axis_x(turn)[:, 0]), 4 / rate * ellipk(math.sin(math.radians(10)) ** 2))}
    if scene.case == "tumbles":
        path = np.array([4.386432, 0.663898, -1.291979])
        return {"distance from the reference at 5 s": (float(np.linalg.norm(at[-1] - path)), 0.0)}
    if scene.case == "pendulum":
        return {"period": (period(t, np.arctan2(at[:, 0], -at[:, 2])), 3.1882903)}
    if scene.case == "towed":
        flow = 0.5 * scene.water * scene.areas[0] * scene.stream[0] ** 2
        return {"angle from the vertical": (math.degrees(math.atan2(at[-1, 0], -at[-1, 2])), math.degrees(math.atan2(flow, net)))}
    if scene.case == "spins":
        return {"sideways in 1 s": (at[-1, 1], math.nan)}
    raise ValueError(scene.case)
