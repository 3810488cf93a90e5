"""A state feedback for a crane from its linear model: linearize, solve the Riccati equation, close the loop."""

import numpy as np

import windlass as wl
from windlass.examples import shipped

GOAL = 2.0

crane = shipped("learn/antisway.toml", speed="0 m/s")
lin = wl.linearize(crane, inputs=["travel"])
print(f"{len(lin.states)} states; dt {lin.dt:.4f} s")

# travel acts in one plane: the swing across it and the rotations of the load are not controllable
plane = ["joints.travel.value", "bodies.load.center_of_mass.x", "joints.travel.speed", "bodies.load.velocity.x"]
chosen = [lin.states.index(name) for name in plane]
A, B = lin.A[np.ix_(chosen, chosen)], lin.B[chosen]

# the discrete Riccati equation by iteration: x⁺ = A x + B u, cost xᵀQx + uᵀRu
Q, R = np.diag([1.0, 1.0, 0.1, 0.1]), np.array([[20.0]])
P = Q
for _ in range(20_000):
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    following = Q + A.T @ P @ (A - B @ K)
    if np.abs(following - P).max() < 1e-10 * np.abs(P).max():
        break
    P = following
radius = float(np.abs(np.linalg.eigvals(A - B @ K)).max())
print(f"gain {(K[0].round(3) + 0).tolist()}, largest eigenvalue of the closed loop {radius:.5f}")
assert radius < 0.999

while crane.time < 40:
    trolley, load = crane.bodies["trolley"], crane.bodies["load"]
    x = np.array([trolley.position[0] - GOAL, load.position[0] - GOAL, trolley.velocity[0], load.velocity[0]])
    crane["travel"] = float(-K[0] @ x)
    crane.step()
print(f"after {crane.time:.0f} s: trolley {trolley.position[0]:.4f} m, load {load.position[0]:.4f} m, goal {GOAL} m")
assert abs(trolley.position[0] - GOAL) < 0.01 and abs(load.position[0] - GOAL) < 0.01
