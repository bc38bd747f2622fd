"""The training step and the full update of the benchmarks in NumPy, and the step in PyTorch where it is installed.

Prints one JSON object: {"python": ..., "rows": {"training step": {rows: {name: [ms, ...]}}, "full update": {...}}}.
Usage: bench.py CONFIG.json, with {"batches": [...], "groups": [...], "seconds": s, "world": {...}}.
The world is the table of a level as the other runners use it: looks, next and reward, with the end as last row.
"""
import json
import sys
import time

import numpy as np

LR, B1, B2, EPS = 1e-3, 0.9, 0.999, 1e-8


def timed(work, seconds):
    """Milliseconds of single runs after two that do not count, at least three."""
    work()
    work()
    found = []
    start = time.perf_counter()
    while len(found) < 3 or (time.perf_counter() - start < seconds and len(found) < 100):
        begin = time.perf_counter()
        work()
        found.append((time.perf_counter() - begin) * 1000)
    return found


class Adam:
    def __init__(self, params):
        self.n = 0
        self.m = [np.zeros_like(p) for p in params]
        self.v = [np.zeros_like(p) for p in params]

    def step(self, params, grads, lr):
        self.n += 1
        c1, c2 = 1 - B1**self.n, 1 - B2**self.n
        for p, g, m, v in zip(params, grads, self.m, self.v):
            m += (1 - B1) * (g - m)
            v += (1 - B2) * (g * g - v)
            p -= lr * (m / c1) / (np.sqrt(v / c2) + EPS)


def weights(rng, inputs, hidden, outputs):
    def draw(rows, cols):
        return (rng.standard_normal((rows, cols)) * np.sqrt(2 / rows)).astype(np.float32)

    return [draw(inputs, hidden), np.zeros(hidden, np.float32), draw(hidden, outputs), np.zeros(outputs, np.float32)]


def softmax(z):
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def step_numpy(rows):
    """Forward, backward and Adam of an MLP 128-128-4 with relu and mean cross-entropy."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((rows, 128)).astype(np.float32)
    y = (x[:, 0] > 0).astype(int) + 2 * (x[:, 1] > 0)
    params = weights(rng, 128, 128, 4)
    adam = Adam(params)
    every = np.arange(rows)

    def work():
        w1, b1, w2, b2 = params
        h = np.maximum(x @ w1 + b1, 0)
        d = softmax(h @ w2 + b2)
        d[every, y] -= 1
        d /= rows
        dh = (d @ w2.T) * (h > 0)
        adam.step(params, [x.T @ dh, dh.sum(0), h.T @ d, d.sum(0)], LR)

    return work


def step_torch(rows, torch):
    generator = torch.Generator().manual_seed(1)
    x = torch.randn(rows, 128, generator=generator)
    y = (x[:, 0] > 0).long() + 2 * (x[:, 1] > 0).long()
    net = torch.nn.Sequential(torch.nn.Linear(128, 128), torch.nn.ReLU(), torch.nn.Linear(128, 4))
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net, x, y = net.to(device), x.to(device), y.to(device)
    adam = torch.optim.Adam(net.parameters(), LR)

    def work():
        adam.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(net(x), y).backward()
        adam.step()
        if device == "cuda":
            torch.cuda.synchronize()

    return work


def update_numpy(world, groups, size):
    """Rollout of all episodes at once, group-normalized credit, the clipped objective, norm limit and Adam."""
    T, n, actions = world["T"], world["states"], world["actions"]
    looks = np.array(world["looks"], np.float32).reshape(n + 1, -1)
    to = np.array(world["next"]).reshape(n + 1, actions)
    pay = np.array(world["reward"], np.float32).reshape(n + 1, actions)
    rng = np.random.default_rng(1)
    params = weights(rng, looks.shape[1], world["hidden"], actions)
    params[2] *= 0.01
    adam = Adam(params)
    B = groups * size

    def work():
        w1, b1, w2, b2 = params
        s = np.zeros(B, int)
        states, taken, paid = np.empty((T, B), int), np.empty((T, B), int), np.empty((T, B), np.float32)
        for t in range(T):
            p = softmax(np.tanh(looks[s] @ w1 + b1) @ w2 + b2)
            a = np.minimum((p.cumsum(1) < rng.random((B, 1), np.float32)).sum(1), actions - 1)
            states[t], taken[t], paid[t] = s, a, pay[s, a]
            s = to[s, a]
        R = paid.sum(0).reshape(groups, size)
        A = (R - R.mean(1, keepdims=True)) / (R.std(1, ddof=1, keepdims=True) + 1e-6)
        s, a = states.ravel(), taken.ravel()
        real = (s < n).astype(np.float32)
        A = np.tile(A.ravel(), T).astype(np.float32) * real / real.sum()
        x = looks[s]
        h = np.tanh(x @ w1 + b1)
        d = softmax(h @ w2 + b2)
        # on fresh data the ratio is 1 and nothing is clipped
        d[np.arange(len(a)), a] -= 1
        d *= A[:, None]
        dh = (d @ w2.T) * (1 - h * h)
        grads = [x.T @ dh, dh.sum(0), h.T @ d, d.sum(0)]
        norm = np.sqrt(sum(float((g * g).sum()) for g in grads))
        adam.step(params, [g * min(1.0, 1 / (norm + 1e-6)) for g in grads], 1e-7)

    return work


def main():
    with open(sys.argv[1]) as file:
        config = json.load(file)
    rows = {"training step": {}, "full update": {}}
    try:
        import torch
    except ImportError:
        torch = None
    for batch in config["batches"]:
        found = {"numpy": timed(step_numpy(batch), config["seconds"])}
        if torch:
            found["torch"] = timed(step_torch(batch, torch), config["seconds"])
        rows["training step"][batch] = found
    for groups in config["groups"]:
        rows["full update"][groups] = {"numpy": timed(update_numpy(config["world"], groups, 8), config["seconds"])}
    version = "NumPy " + np.__version__ + (", PyTorch " + torch.__version__ if torch else ", no PyTorch")
    print(json.dumps({"python": version, "rows": rows}))


main()
