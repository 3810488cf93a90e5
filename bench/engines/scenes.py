"""Scenes that belong to no engine: bodies, joints, where they start.

z is up, swings are in the y-z plane, gravity is 10 m/s2, nothing is damped. A body's frame is in its centre of mass along its
principal axes; a joint is given by its place and axis in the world at the start. `Scene.write` is what the drivers in C++ and
Rust read.
"""

import math
from dataclasses import dataclass, field

import numpy as np

G = 10.0
FRAME = 1 / 60
WORLD = -1


@dataclass
class Body:
    mass: float
    inertia: tuple
    at: np.ndarray
    turn: tuple = (1.0, 0.0, 0.0, 0.0)  # w x y z
    half: tuple = (0.0, 0.0, 0.0)


@dataclass
class Joint:
    form: str  # "ball" or "hinge"
    a: int
    b: int
    at: np.ndarray
    axis: tuple = (1.0, 0.0, 0.0)


@dataclass
class Cable:
    """The whole hoist cable as an elastic one: EA [N] and EI [N m2]."""

    stretch: float
    bend: float


@dataclass
class Scene:
    kind: str
    drop: float = 1.0  # the energy that percentages refer to [J]
    touching: bool = False  # bodies are boxes that touch each other and the floor z = 0
    bodies: list = field(default_factory=list)
    joints: list = field(default_factory=list)
    length: float = 0.0  # of a hoist cable [m]
    period: float = math.nan  # of the hoist as one rigid pendulum [s]
    cable: Cable = None

    def add(self, *args):
        self.bodies.append(Body(*args))
        return len(self.bodies) - 1

    def write(self, path, dt, steps, every, budget):
        numbers = lambda *values: " ".join(repr(float(x)) for x in values)
        with open(path, "w") as out:
            print("run", numbers(dt), steps, every, numbers(budget, G), int(self.touching), file=out)
            if self.cable:
                print("cable", numbers(self.cable.stretch, self.cable.bend), file=out)
            for b in self.bodies:
                print("body", numbers(b.mass, *b.inertia, *b.at, *b.turn, *b.half), file=out)
            for j in self.joints:
                print("joint", j.form, j.a, j.b, numbers(*j.at, *j.axis), file=out)


def about_x(angle):
    return (math.cos(angle / 2), math.sin(angle / 2), 0.0, 0.0)


def box(mass, half):
    x, y, z = (h * h for h in half)
    return tuple(mass / 3 * s for s in (y + z, x + z, x + y))


def hoist(n, load, bend=None):
    """B1, B2: 10 m of cable as n cylinders of 1 kg on ball joints, leaning by 30 degrees, a load at its end.

    With `bend` it is an elastic cable instead: EA for 0.3 % of static stretch, EI as that part of EA [m2]."""
    length, radius, lean = 10.0, 0.05, math.radians(30)
    down, turn, link = np.array([0, math.sin(lean), -math.cos(lean)]), about_x(lean), length / n
    s = Scene("hoist", length=length)
    across = (3 * radius**2 + link**2) / 12
    last = WORLD
    for i in range(n):
        body = s.add(1.0, (across, across, radius**2 / 2), down * (i + 0.5) * link, turn, (radius, radius, link / 2))
        s.joints.append(Joint("ball", last, body, down * i * link))
        last = body
    end = s.add(load, (0.4 * load * 0.25**2,) * 3, down * length, turn, (0.25,) * 3)
    s.joints.append(Joint("ball", last, end, down * length))
    s.drop = sum(b.mass * G * (b.at[2] + np.linalg.norm(b.at)) for b in s.bodies)
    s.period = pendulum(n, load, length, radius, lean)
    if bend is not None:
        stretch = (load + n / 2) * G / 0.003
        s.cable = Cable(stretch, bend * stretch)
    return s


def pendulum(n, load, length, radius, lean):
    """Period of the straight hoist as one rigid body, by the arithmetic-geometric mean."""
    inertia = n * length**2 / 3 + n * radius**2 / 4 + load * length**2
    slow = math.sqrt(G * (n * length / 2 + load * length) / inertia)
    a, b = 1.0, math.cos(lean / 2)
    for _ in range(40):
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi / (slow * a)


def ring(n):
    """B3: a regular polygon of n hinged links of 0.5 m that falls together; the top one is the ground."""
    link, half = 0.5, (0.05, 0.25, 0.05)
    radius = link / (2 * math.sin(math.pi / n))
    turn = lambda k: 2 * math.pi * (k - 0.5) / n
    corner = [radius * np.array([0, math.sin(turn(k)), math.cos(turn(k))]) for k in range(n + 1)]
    s = Scene("ring")
    last = WORLD
    for k in range(1, n):
        along = corner[k + 1] - corner[k]
        body = s.add(1.0, box(1.0, half), (corner[k] + corner[k + 1]) / 2, about_x(math.atan2(along[2], along[1])), half)
        s.joints.append(Joint("hinge", last, body, corner[k]))
        last = body
    s.joints.append(Joint("hinge", last, WORLD, corner[n]))
    s.drop = 0.5 * sum(b.mass * G * (b.at[2] + 2 * radius) for b in s.bodies)
    return s


def boxes(*masses):
    """B4: cubes of 1 m on each other, from the floor up."""
    s = Scene("boxes", touching=True)
    for k, mass in enumerate(masses):
        s.add(mass, box(mass, (0.5,) * 3), np.array([0, 0, k + 0.5]), (1.0, 0.0, 0.0, 0.0), (0.5,) * 3)
    return s


def double_pendulum():
    """B5: two bars of 1 m and 1 kg on hinges, released in line and level."""
    s = Scene("pendulum", drop=G * 2.0)
    half = (0.05, 0.5, 0.05)
    for k in range(2):
        s.add(1.0, box(1.0, half), np.array([0, k + 0.5, 0]), (1.0, 0.0, 0.0, 0.0), half)
        s.joints.append(Joint("hinge", k - 1, k, np.array([0.0, k, 0.0])))
    return s
