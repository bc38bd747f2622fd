"""The training step and the full update of the benchmarks in NumPy, and the step in PyTorch where it is installed.

Usage: bench.py FOLDER. The folder holds config.json, {"batches": [...], "groups": [...], "seconds": s, "checkSteps": n,
"check": {"groups": n, "updates": n, "rate": x}, "world": {...}}, and as 32-bit floats the inputs of the largest batch
(x.f32) and the first parameters of the step (theta.f32). The world is the table of a level as the other runners use it
(looks, next and reward, with the end as last row) with the first parameters of its policy (theta).

Prints one JSON object: {"python": ..., "rows": {kind: {size: {name: [ms, ...]}}}, "checks": {kind: {size: {name: [...]}}}}:
times, and what must agree with everyone else's: the parameters after n steps, the share of episodes that are won after
the check's updates.
"""
import json
import os
import sys
import time

import numpy as np

LR, B1, B2, EPS = 1e-3, 0.9, 0.999, 1e-8
CLIP = 0.2


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


def tensors(theta, inputs, hidden, outputs):
    """W1, b1, W2, b2 as arrays of their own."""
    shapes = [(inputs, hidden), (hidden,), (hidden, outputs), (outputs,)]
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes])
    return [part.reshape(shape).copy() for part, shape in zip(np.split(theta, ends[:-1]), shapes)]


def softmax(z):
    e = np.exp(z - z.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def targets(x):
    return (x[:, 0] > 0).astype(np.int64) + 2 * (x[:, 1] > 0)


def step_numpy(x, theta):
    """Forward, backward and Adam of an MLP 128-128-4 with relu and mean cross-entropy."""
    rows = len(x)
    y = targets(x)
    params = tensors(theta, 128, 128, 4)
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

    return work, lambda: np.concatenate([p.ravel() for p in params]).tolist()


def step_torch(x, theta, torch, device):
    net = torch.nn.Sequential(torch.nn.Linear(128, 128), torch.nn.ReLU(), torch.nn.Linear(128, 4))
    params = [net[0].weight, net[0].bias, net[2].weight, net[2].bias]
    with torch.no_grad():
        for param, start in zip(params, tensors(theta, 128, 128, 4)):
            param.copy_(torch.from_numpy(start.T))
    inputs, labels = torch.from_numpy(x).to(device), torch.from_numpy(targets(x)).to(device)
    net = net.to(device)
    adam = torch.optim.Adam(net.parameters(), LR)

    def work():
        adam.zero_grad(set_to_none=True)
        torch.nn.functional.cross_entropy(net(inputs), labels).backward()
        adam.step()
        if device == "cuda":
            torch.cuda.synchronize()

    return work, lambda: np.concatenate([p.detach().cpu().numpy().T.ravel() for p in net.parameters()]).tolist()


def update_numpy(world, groups, size, rate):
    """Rollout of all episodes at once, group-normalized credit, the clipped objective, norm limit and Adam."""
    T, n, actions = world["T"], world["states"], world["actions"]
    looks = np.array(world["looks"], np.float32).reshape(n + 1, -1)
    to = np.array(world["next"]).reshape(n + 1, actions)
    pay = np.array(world["reward"], np.float32).reshape(n + 1, actions)
    rng = np.random.default_rng(1)
    params = tensors(np.array(world["theta"], np.float32), looks.shape[1], world["hidden"], actions)
    adam = Adam(params)
    B = groups * size
    won = 0.0

    def work():
        nonlocal won
        w1, b1, w2, b2 = params
        s = np.zeros(B, int)
        states, taken, paid = np.empty((T, B), int), np.empty((T, B), int), np.empty((T, B), np.float32)
        chance = np.empty((T, B), np.float32)
        rows = np.arange(B)
        for t in range(T):
            p = softmax(np.tanh(looks[s] @ w1 + b1) @ w2 + b2)
            a = np.minimum((p.cumsum(1) < rng.random((B, 1), np.float32)).sum(1), actions - 1)
            states[t], taken[t], paid[t], chance[t] = s, a, pay[s, a], p[rows, a]
            s = to[s, a]
        # an episode that has ended before the limit has won: the world ends in nothing else
        won = float((s == n).mean())
        R = paid.sum(0).reshape(groups, size)
        A = (R - R.mean(1, keepdims=True)) / (R.std(1, ddof=1, keepdims=True) + 1e-6)
        s, a = states.ravel(), taken.ravel()
        real = (s < n).astype(np.float32)
        A = np.tile(A.ravel(), T).astype(np.float32)
        x = looks[s]
        h = np.tanh(x @ w1 + b1)
        d = softmax(h @ w2 + b2)
        every = np.arange(len(a))
        ratio = np.exp(np.log(d[every, a]) - np.log(chance.ravel()))
        passes = np.where(A >= 0, ratio <= 1 + CLIP, ratio >= 1 - CLIP)
        d[every, a] -= 1
        d *= (A * ratio * passes * real / real.sum())[:, None]
        dh = (d @ w2.T) * (1 - h * h)
        grads = [x.T @ dh, dh.sum(0), h.T @ d, d.sum(0)]
        norm = np.sqrt(sum(float((g * g).sum()) for g in grads))
        adam.step(params, [g * min(1.0, 1 / (norm + 1e-6)) for g in grads], rate)

    return work, lambda: [won]


def main():
    # once a large array was freed, the allocator of glibc keeps the memory of the smaller ones instead of asking the
    # system for it in every step: up to a third of the time
    np.empty(30 << 20, np.uint8)
    folder = sys.argv[1]
    with open(os.path.join(folder, "config.json")) as file:
        config = json.load(file)
    x = np.fromfile(os.path.join(folder, "x.f32"), np.float32).reshape(-1, 128)
    theta = np.fromfile(os.path.join(folder, "theta.f32"), np.float32)
    try:
        import torch
    except ImportError:
        torch = None
    rows, checks = {}, {}

    def put(kind, size, name, make, times, made_for_check=None):
        work, result = (made_for_check or make)()
        for _ in range(times):
            work()
        checks.setdefault(kind, {}).setdefault(size, {})[name] = result()
        rows.setdefault(kind, {}).setdefault(size, {})[name] = timed(make()[0], config["seconds"])

    for batch in config["batches"]:
        some = x[:batch]
        put("training step", batch, "numpy", lambda: step_numpy(some, theta), config["checkSteps"])
        devices = [] if torch is None else ["cpu"] + (["cuda"] if torch.cuda.is_available() else [])
        for device in devices:
            name = "torch cuda" if device == "cuda" else "torch"
            put("training step", batch, name, lambda: step_torch(some, theta, torch, device), config["checkSteps"])
    world, check = config["world"], config["check"]
    for groups in config["groups"]:
        put(
            *("full update", groups, "numpy"),
            lambda: update_numpy(world, groups, 8, 1e-7),
            check["updates"],
            lambda: update_numpy(world, check["groups"], 8, check["rate"]),
        )
    version = "NumPy " + np.__version__ + (", PyTorch " + torch.__version__ if torch else ", no PyTorch")
    print(json.dumps({"python": version, "rows": rows, "checks": checks}))


main()
