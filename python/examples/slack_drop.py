"""A load falls into a slack wire rope: peak tension over the height of fall, beside the spring's closed form."""

import numpy as np

import windlass as wl

STIFFNESS, MASS, GRAVITY = 2e6, 1000.0, 9.81


def peak(fall: float) -> float:
    scene = wl.Scene(settings={"dt": "1 ms", "gravity": [0, 0, -GRAVITY]})
    scene.bodies["beam"] = {"type": "static"}
    scene.bodies["load"] = {"position": [0, 0, -5 + fall], "mass": MASS, "shape": {"sphere": {"radius": 0.2}}}
    scene.joints["rope"] = {
        "distance": {
            "bodies": ["beam", "load"],
            "points": [[0, 0, 0], [0, 0, -5 + fall]],
            "limits": {"high": 5.0, "stiffness": STIFFNESS},
        }
    }
    log = wl.load(scene).log(2.0, ["joints.rope.tension"])
    return float(np.nanmax(log["joints.rope.tension"]))


for fall in (0.0, 0.5, 2.0):
    # ½ k x² = m g (fall + x)
    weight = MASS * GRAVITY
    expected = weight + np.sqrt(weight**2 + 2 * STIFFNESS * weight * fall)
    found = peak(fall)
    print(f"fall {fall} m: {found / 1e3:.1f} kN, closed form {expected / 1e3:.1f} kN")
    assert abs(found / expected - 1) < 0.02
