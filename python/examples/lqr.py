"""A state feedback for a crane from its linear model: linearize, solve the Riccati equation, close the loop."""

import numpy as np

import windlass as wl
from windlass.library import shipped

crane = shipped("learn/antisway.toml", speed="0 m/s")
lin = wl.linearize(crane, inputs=["travel"])
names = lin.states
print(lin)

# the discrete Riccati equation by iteration: x⁺ = A x + B u, cost xᵀQx + uᵀRu
A, B = lin.A, lin.B
Q, R = np.eye(len(names)), np.array([[4.0]])
P = Q
for _ in range(20_000):
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    following = Q + A.T @ P @ (A - B @ K)
    if np.abs(following - P).max() < 1e-10 * np.abs(P).max():
        break
    P = following
radius = float(np.abs(np.linalg.eigvals(A - B @ K)).max())
print(f"largest eigenvalue of the closed loop: {radius:.5f}")
assert radius < 1
