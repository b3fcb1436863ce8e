"""Code by somebody who had not read the catalog: right, and with slips of the kinds that public threads tell of.

The files of the folder `blind` were written from the listings and the documented protocol alone. A slip of
SLIPS replaces one text of a file; `slip` is its cause, None where the catalog has no name for it.
"""

from pathlib import Path

from slips_planted import Planted, imported

# ruff: noqa: E501  a table is read by its rows
# fmt: off

FOLDER = Path(__file__).parent / "blind"
# file: (function, algorithm, library)
WRITTEN = {
    "dp_class": ("train", "dp_fedavg", "numpy"),
    "dp_torch": ("run", "dp_fedavg", "torch"),
    "norm_streams": ("simulate", "dp_norm_fedavg", "numpy"),
    "norm_functional": ("step", "dp_norm_fedavg", "numpy"),
    "avg_layers": ("fit_round", "fedavg", "numpy"),
    "avg_plain": ("run", "fedavg", "numpy"),
    "gd_inplace": ("descend", "gradient_descent", "numpy"),
    "sgd_run": ("iterate", "stochastic_gradient_descent", "numpy"),
    "dpfl_masks": ("federated", "dpfl", "numpy"),
    "dpfl_torch": ("main", "dpfl", "torch"),
    "als_object": ("run", "als_dpfl", "numpy"),
    "als_functions": ("run", "als_dpfl", "numpy"),
    "ec_arrays": ("run", "fed_alpha_norm_ec", "numpy"),
    "ec_objects": ("run", "fed_alpha_norm_ec", "numpy"),
}
SLIPS = [
    ("dp_class", "noise at server too", "B.alg1.10", "twice", 'average = mask @ sent / r', 'average = mask @ sent / r + random.normal(0.0, settings.noise_scale, x.size)'),
    ("dp_class", "sqrt r missing", "B.alg1.10", "without_r", 'settings.noise_scale * np.sqrt(r)', 'settings.noise_scale'),
    ("dp_class", "fixed size sampler", "B.alg1.3", "fixed_size", 'mask = random.uniform(size=n) <= r / n', 'mask = np.isin(np.arange(n), random.choice(n, r, replace=False))'),
    ("dp_class", "divisor came", "B.alg1.12.a", "came", 'average = mask @ sent / r', 'average = mask @ sent / max(1, mask.sum())'),
    ("dp_class", "clip per coordinate", "B.alg1.9.g", "each_coordinate", 'self.bounded(updates, settings.clip_threshold)', 'np.clip(updates, -settings.clip_threshold, settings.clip_threshold)'),
    ("dp_class", "clip on the difference", "B.alg1.9.g", "threshold_over_step", 'self.bounded(updates, settings.clip_threshold)', 'self.bounded(updates * settings.local_step, settings.clip_threshold) / settings.local_step'),
    ("dp_class", "sigma squared", "B.alg1.10", "variance_for_deviation", 'settings.noise_scale * np.sqrt(r)', 'settings.noise_scale**2 * np.sqrt(r)'),
    ("dp_class", "same noise for all clients", "B.alg1.10", "noise_common", 'size=(n, x.size))', 'size=(1, x.size))'),
    ("dp_class", "one coin for all", "B.alg1.3", "blocks", 'random.uniform(size=n) <= r / n', '(random.uniform() <= r / n) * np.ones(n)'),
    ("dp_class", "noise from absent clients", "B.alg1.10", "noise_of_absent", 'average = mask @ sent / r', 'average = (mask @ (sent - noise) + noise.sum(axis=0)) / r'),
    ("dp_class", "server step twice", "B.alg1.12.w", "applied_twice", 'x - settings.server_step * average', 'x - settings.server_step**2 * average'),
    ("dp_class", "update not divided by step", "B.alg1.9.u", "not_divided_by_step", 'updates = (x - self.locals_(x, clients, settings)) / settings.local_step', 'updates = x - self.locals_(x, clients, settings)'),
    ("dp_class", "no noise in the last coordinate", "B.alg1.10", "noise_uneven", 'size=(n, x.size))', 'size=(n, x.size)) * (np.arange(x.size) < x.size - 1)'),
    ("dp_class", "models in single precision", "B.alg1.7", "rounded", 'return points\n', 'return points.astype(np.float32)\n'),
    ("dp_class", "states of six digits", "B.alg1.7", "rounded", 'return x - settings.server_step * average', 'return np.round(x - settings.server_step * average, 6)'),
    ("dp_torch", "mean of the last two", "B.alg1.13", "last_two", '    return torch.stack(states)', '    s = torch.stack(states)\n    return torch.cat([s[:1], (s[1:] + s[:-1]) / 2])'),
    ("dp_torch", "moving average", "B.alg1.13", "moving_average", '    return torch.stack(states)', '    for k in range(1, len(states)):\n        states[k] = 0.3 * states[k - 1] + 0.7 * states[k]\n    return torch.stack(states)'),
    ("dp_torch", "clip after averaging", "B.alg1.9.g", "averaged_first", '            total += delta * scale\n', '            total += delta\n        total = total * min(1.0, r * settings.clip_threshold / (total.norm().item() + 1e-300))\n'),
    ("dp_torch", "epochs", "B.alg1.6", "epochs", 'settings.local_steps, settings.local_step)', 'settings.local_steps * clients[i].data_points, settings.local_step)'),
    ("dp_torch", "noise same each round", "B.alg1.10", "noise_repeated", 'total += std * torch.randn(total.shape, generator=generator, dtype=torch.float64)', 'total += std * torch.randn(total.shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)'),
    ("dp_torch", "noise r clients though fewer came", "B.alg1.10", "noise_of_wanted", '(r * len(chosen)) ** 0.5', 'r'),
    ("dp_torch", "adam momentum", "B.alg1.7", "local_momentum", 'torch.optim.SGD(local.parameters(), lr=lr)', 'torch.optim.SGD(local.parameters(), lr=lr, momentum=0.9)'),
    ("dp_torch", "weight decay", "B.alg1.7", "weight_decay", 'torch.optim.SGD(local.parameters(), lr=lr)', 'torch.optim.SGD(local.parameters(), lr=lr, weight_decay=1e-2)'),
    ("dp_torch", "averaged output", "B.alg1.12.w", None, 'states.append(model.weight.detach().clone())\n    return', 'states.append((sum(states) + model.weight.detach()) / (len(states) + 1))\n    return'),
    ("dp_torch", "mean of the iterates", "B.alg1.13", "averaged_output", '    return torch.stack(states)', '    return torch.cumsum(torch.stack(states), 0) / torch.arange(1, len(states) + 1, dtype=torch.float64)[:, None]'),
    ("norm_streams", "eps in the norm", "B.alg2.9.g", "small_constant", 'direction = u / length if length > 0 else u', 'direction = u / (length + 1e-3)'),
    ("norm_streams", "not the length", "B.alg2.9.g", "unit", 'settings.update_length * direction', 'direction'),
    ("norm_streams", "same seed for all clients", "B.alg2.10", "noise_common", 'streams[i]) for i in come', 'np.random.default_rng(seed + t)) for i in come'),
    ("norm_streams", "same seed every round", "B.alg2.10", "noise_repeated", 'client_message(w, clients[int(i)], settings, streams[i])', 'client_message(w, clients[int(i)], settings, np.random.default_rng(seed + int(i)))'),
    ("norm_streams", "stale model", "B.alg2.5", "stale", 'client_message(w, clients[int(i)]', 'client_message(history[-2] if t else w, clients[int(i)]'),
    ("norm_functional", "normalize the sum", "B.alg2.9.g", "averaged_first", 'return w - settings.server_step * np.tensordot(weights, messages, axes=1)', 'raw = np.stack([w - repeat(partial(sgd, settings.local_step, clients[i].gradient), settings.local_steps, w) for i in range(n)])\n    return w - settings.server_step * (settings.update_length * unit(weights @ raw) + weights @ noises)'),
    ("norm_functional", "inf norm", "B.alg2.9.g", "by_largest_coordinate", 'square = np.dot(u, u)', 'square = np.max(np.abs(u)) ** 2'),
    ("norm_functional", "noise over sqrt d", "B.alg2.10", "total_variance", 'np.sqrt(r) * settings.noise_scale', 'np.sqrt(r / d) * settings.noise_scale'),
    ("norm_functional", "squared norm", "B.alg2.9.g", "by_squared_length", 'u / np.sqrt(np.where(square > 0, square, 1.0))', 'u / np.where(square > 0, square, 1.0)'),
    ("avg_layers", "with replacement", "B.alg3.3", "replacement", 'replace=False', 'replace=True'),
    ("avg_layers", "poisson sampler", "B.alg3.3", None, 'random.choice(len(clients), size=settings.clients_per_round, replace=False)', '[i for i in range(len(clients)) if random.random() < settings.clients_per_round / len(clients)] or [0]'),
    ("avg_layers", "steps off by one", "B.alg3.6", "one_too_few", 'range(settings.local_steps)', 'range(1, settings.local_steps)'),
    ("avg_plain", "divided by n", "B.alg3.11", "all_clients", 'sum(column) / len(picked) for', 's0 - sum(s0 - c for c in column) / len(clients) for s0, column in zip(server, zip(*incoming))] if True else [0 for'),
    ("avg_plain", "weights by data", "B.alg3.11", "data_sizes", '[sum(column) / len(picked) for column in zip(*incoming)]', '[sum(c * clients[i].data_points for c, i in zip(column, picked)) / sum(clients[i].data_points for i in picked) for column in zip(*incoming)]'),
    ("avg_plain", "the same clients each round", "B.alg3.3", "same_set", 'picked = rng.sample(ids, settings.clients_per_round)', 'picked = py_random.Random(seed).sample(ids, settings.clients_per_round)'),
    ("avg_plain", "round robin", "B.alg3.3", "passes", 'picked = rng.sample(ids, settings.clients_per_round)', 'picked = [(len(log) * settings.clients_per_round + j) % len(ids) for j in range(settings.clients_per_round)]'),
    ("gd_inplace", "sum of the clients", "T.gd.f", "sum", 'direction /= len(clients)', 'direction /= 1'),
    ("sgd_run", "noise per coordinate", "T.sgd.noise", "per_coordinate", 'scale=self.scale / np.sqrt(x.size)', 'scale=self.scale'),
    ("sgd_run", "noise after the step", "T.sgd.noise", "after_the_step", 'path[t] - settings.step * oracle(path[t])', 'path[t] - settings.step * (oracle.clients.gradient(path[t])) - oracle.rng.normal(scale=settings.noise_scale / np.sqrt(start.size), size=start.size)'),
    ("sgd_run", "momentum", "T.sgd", "momentum", 'path[t] - settings.step * oracle(path[t])', 'path[t] + (0.9 * (path[t] - path[t - 1]) if t else 0) - settings.step * oracle(path[t])'),
    ("sgd_run", "the same noise in every round", "T.sgd.noise", "noise_repeated", 'error = self.rng.normal', "error = np.random.default_rng(7 + self.rng.bit_generator.state['state']['inc'] % 1000).normal"),
    ("sgd_run", "warm-up", "T.sgd", "last_two", 'settings.step * oracle', 'settings.step * min(1, (t + 1) / 2) * oracle'),
    ("sgd_run", "decreasing step", "T.sgd", "decay", 'settings.step * oracle', 'settings.step / (1 + t) * oracle'),
    ("dpfl_masks", "clip the mean of the batch", "C.alg1.9", "sum_clipped", '    rows = rows * np.minimum(1.0, settings.clip_threshold / np.maximum(lengths, 1e-300))\n    return (mask @ rows + noise) / settings.batch_size', '    total = mask @ rows\n    total = total * min(1.0, settings.clip_threshold / max(np.linalg.norm(total), 1e-300))\n    return (total + noise) / settings.batch_size'),
    ("dpfl_masks", "divisor came", "C.alg1.10.b", "drawn", '/ settings.batch_size\n\n', '/ max(1, mask.sum())\n\n'),
    ("dpfl_masks", "noise without threshold", "C.alg1.10.n", "without_threshold", '(settings.noise_multiplier * settings.clip_threshold)', 'settings.noise_multiplier'),
    ("dpfl_masks", "uniform weights", "C.alg1.14", "uniform", 'client.data_points / points * y', 'y / len(clients)'),
    ("dpfl_masks", "noise not divided", "C.alg1.10.n", "not_divided", '(mask @ rows + noise) / settings.batch_size', 'mask @ rows / settings.batch_size + noise'),
    ("dpfl_torch", "fixed batch", "C.alg1.6", "batch_fixed_size", 'return torch.bernoulli(p, generator=generator).bool()', 'return torch.randperm(client.data_points, generator=generator)[:size]'),
    ("dpfl_torch", "local models kept", "C.alg1.15", "own_model", 'stack = torch.stack([local(w, clients[i], settings, g) for i in range(len(clients))])', 'stack = torch.stack([local(w if len(states) == 1 else stack[i], clients[i], settings, g) for i in range(len(clients))])'),
    ("dpfl_torch", "noise once per round", "C.alg1.10.n", "noise_repeated", 'acc.add_(torch.randn(y.shape, generator=generator, dtype=y.dtype), alpha=std)', 'acc.add_(torch.randn(y.shape, generator=torch.Generator().manual_seed(generator.initial_seed()), dtype=y.dtype), alpha=std)'),
    ("dpfl_torch", "adds clipped at sum of squares", "C.alg1.9", "square", 'return g * (c / n)', 'return g * (c / n) ** 2'),
    ("als_object", "range without doubling", "C.alg2.19", "fixed", 'min(2 * self.tau, self.s.search_limit) + 1', 'min(2 * self.tau, self.s.search_limit)'),
    ("als_object", "privacy per round", "C.alg2.13", "per_round", 'self.leaked += self.tau * s.privacy_cost', 'self.leaked += s.privacy_cost'),
    ("als_object", "largest constants", "C.alg2.4", "largest", 'rho, beta = pairs.mean(axis=0)', 'rho, beta = pairs.max(axis=0)'),
    ("als_functions", "tau never changes", "C.alg2.19", "fixed", 'advance(states[-1], people, settings, rng)', 'advance(states[-1]._replace(tau=1), people, settings, rng)'),
    ("als_functions", "communication per local step", "C.alg2.21", "per_step", 'state.communication + s.communication_cost', 'state.communication + state.tau * s.communication_cost'),
    ("als_functions", "no factor two in S", "C.alg2.19", "gap_without_two", 'S = 2 * sqrt(d)', 'S = sqrt(d)'),
    ("ec_arrays", "memory with the wrong sign", "A.alg1.7", "subtracted", 'v = v + settings.memory_step * message', 'v = v - settings.memory_step * message'),
    ("ec_arrays", "memory only of participants", "A.alg1.7", "taking_part_only", 'v = v + settings.memory_step * message', 'v = v + settings.memory_step * present[:, None] * message'),
    ("ec_arrays", "not divided by p", "A.alg1.10", "not_weighted", '(present / settings.probability)', 'present'),
    ("ec_arrays", "server memory decays", "A.alg1.14.v", "averaged", 'g = g + settings.memory_step', 'g = (1 - settings.memory_step) * g + settings.memory_step'),
    ("ec_arrays", "noise per coordinate", "A.alg1.12", "per_coordinate", 'settings.noise_scale / np.sqrt(d)', 'settings.noise_scale'),
    ("ec_objects", "smoothing forgotten", "A.alg1.6.n", "normalized", 'delta = e / (s.smoothing + np.sqrt(e @ e))', 'delta = e / np.sqrt(e @ e)'),
    ("ec_objects", "step not over E", "A.alg1.5.g", "not_divided_by_steps", 's.local_step / s.local_steps * self', 's.local_step * self'),
    ("ec_objects", "memory plain sum", "A.alg1.7", "without_beta", 'self.v += s.memory_step * delta', 'self.v += delta'),
    ("ec_objects", "server not normalized", "A.alg1.15", "not_normalized", 'self.x = self.x - self.s.server_step / length * self.m', 'self.x = self.x - self.s.server_step * self.m'),
    ("ec_objects", "stale model", "A.alg1.5.s", "stale", 'server.update([person.work(server.x) for person in people], len(people))', "x = server.x\n        server.update([person.work(getattr(server, 'old', x)) for person in people], len(people))\n        server.old = x"),
    ("ec_objects", "noise stored in memory", "A.alg1.12", "noise_in_memory", '        return (delta + noise) / s.probability', '        self.v += s.memory_step * noise\n        return (delta + noise) / s.probability'),
]
# fmt: on


def right(folder):
    """Every file as it was written: (algorithm, function, library)."""
    return [(algorithm, stranger(folder, file), library) for file, (_, algorithm, library) in WRITTEN.items()]


def stranger(folder, file, old="", new=""):
    """The function of a file, with this text replaced."""
    text = (FOLDER / f"{file}.py").read_text(encoding="utf-8")
    if old:
        assert text.count(old) == 1, (file, old)
        text = text.replace(old, new)
    return getattr(imported(folder, file, text), WRITTEN[file][0])


def planted(file, name, line, slip, old, new):
    return Planted(WRITTEN[file][1], f"{file}: {name}", line, slip, (old,), (new,))
