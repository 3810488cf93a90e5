#!/usr/bin/env python3
"""What MuJoCo makes of a URDF or MJCF file, as JSON: the truth that imports are compared with.

    pip install mujoco
    python3 truth.py MODEL [JOINT=VALUE …] [--key NAME] [--duration S] > MODEL.json

Bodies that are welded to each other are one group; what is welded to the world is left out. Mass, centre of mass
and inertia (about that centre) are in world axes at the start, which is qpos0 with the values given. With --duration
the fall from there is recorded, too: classical Runge-Kutta of 0.1 ms, without contacts, limits and dry friction, with
equalities as stiff as MuJoCo allows, since those of a scene are rigid.
"""
import json
import sys
import xml.etree.ElementTree as xml

import mujoco
import numpy as np


def load(path):
    """The compiled model. Of a URDF the shapes are left out: its masses are those of <inertial>."""
    root = xml.parse(path).getroot()
    if root.tag != "robot":
        return mujoco.MjModel.from_xml_path(path)
    for link in root.iter("link"):
        for shape in link.findall("visual") + link.findall("collision"):
            link.remove(shape)
    for extension in root.findall("mujoco"):
        root.remove(extension)
    xml.SubElement(xml.SubElement(root, "mujoco"), "compiler", {"fusestatic": "true"})
    return mujoco.MjModel.from_xml_string(xml.tostring(root).decode())


def groups(m, d):
    """Mass, centre and inertia of each group of welded bodies that moves."""
    found = {}
    for body in range(1, m.nbody):
        root = m.body_weldid[body]
        if root != 0:
            found.setdefault(int(root), []).append(body)
    for root, bodies in found.items():
        mass = float(sum(m.body_mass[b] for b in bodies))
        if mass == 0:
            continue
        center = sum(m.body_mass[b] * d.xipos[b] for b in bodies) / mass
        inertia = np.zeros((3, 3))
        for b in bodies:
            turn = d.ximat[b].reshape(3, 3)
            arm = d.xipos[b] - center
            inertia += turn @ np.diag(m.body_inertia[b]) @ turn.T
            inertia += m.body_mass[b] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        names = [m.body(b).name for b in bodies]
        yield {"body": names[0], "mass": mass, "center": center.tolist(), "inertia": inertia.tolist()}


def fall(m, d, seconds):
    """Values of hinges and slides every 0.1 s."""
    flags = mujoco.mjtDisableBit
    m.opt.disableflags |= flags.mjDSBL_CONTACT | flags.mjDSBL_LIMIT | flags.mjDSBL_FRICTIONLOSS
    m.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    m.opt.timestep = 1e-4
    m.eq_solref[:] = (2e-4, 1)
    m.eq_solimp[:] = (0.9999, 0.9999, 1e-3, 0.5, 2)
    m.opt.iterations, m.opt.tolerance = 1000, 0
    kinds = (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE))
    single = [j for j in range(m.njnt) if int(m.jnt_type[j]) in kinds]
    values = {m.joint(j).name: [] for j in single}
    centers = {m.body(b).name: [] for b in range(1, m.nbody) if m.body_weldid[b] == b and m.body(b).name}
    times = []
    steps = round(seconds / 1e-4)
    for step in range(steps + 1):
        if step % 1000 == 0:
            mujoco.mj_forward(m, d)
            times.append(step * 1e-4)
            for j in single:
                values[m.joint(j).name].append(float(d.qpos[m.jnt_qposadr[j]]))
            for name in centers:
                centers[name].append(d.body(name).xpos.tolist())
        mujoco.mj_step(m, d)
    return {"times": times, "joints": values, "origins": centers}


def main(arguments):
    path, seconds, start, key = arguments[0], None, {}, None
    rest = iter(arguments[1:])
    for word in rest:
        if word == "--duration":
            seconds = float(next(rest))
        elif word == "--key":
            key = next(rest)
        else:
            name, value = word.split("=")
            start[name] = float(value)
    m = load(path)
    d = mujoco.MjData(m)
    if key:
        mujoco.mj_resetDataKeyframe(m, d, m.key(key).id)
    for name, value in start.items():
        d.qpos[m.joint(name).qposadr[0]] = value
    mujoco.mj_forward(m, d)
    found = list(groups(m, d))
    truth = {
        "start": start,
        "key": key,
        "gravity": m.opt.gravity.tolist(),
        "mass": sum(g["mass"] for g in found),
        "freedoms": int(m.nv),
        "joints": int(m.njnt),
        "groups": found,
    }
    if seconds:
        truth["fall"] = fall(m, d, seconds)
    json.dump(truth, sys.stdout, indent=1)
    print()


main(sys.argv[1:])
