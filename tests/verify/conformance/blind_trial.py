"""Code by somebody who had not read the catalog: right, and with slips of the kinds that public threads tell of.

The files of the folder `blind` were written from the listings and the documented protocol alone. A slip of
SLIPS replaces texts of a file; `slip` is its cause, None where the catalog has no name for it. Those of SECOND
were written when the catalog had been read, as slips that it did not have; those of THIRD in code with the
structure of public repositories, most of them after what is found there.
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
    "dp_loops": ("train", "dp_fedavg", "numpy"),
    "dp_module": ("fed_round", "dp_fedavg", "torch"),
    "dp_object": ("trainer", "dp_fedavg", "numpy"),
    "dp_pytree": ("server_round", "dp_fedavg", "numpy"),
    "norm_named": ("simulate", "dp_norm_fedavg", "numpy"),
    "norm_batched": ("step", "dp_norm_fedavg", "torch"),
    "avg_legacy": ("fedavg", "fedavg", "numpy"),
    "avg_server": ("run", "fedavg", "numpy"),
    "sfl_batched": ("round_", "stochastic_fedavg", "torch"),
    "dpfl_workers": ("run", "dpfl", "numpy"),
    "dpfl_einsum": ("fed", "dpfl", "torch"),
    "ec_batched": ("NORMEC", "fed_alpha_norm_ec", "torch"),
    "ec_team": ("optimize", "fed_alpha_norm_ec", "numpy"),
    "als_class": ("run", "als_dpfl", "numpy"),
    "gd_optimizer": ("gd", "gradient_descent", "torch"),
    "sgd_gauss": ("sgd", "stochastic_gradient_descent", "numpy"),
    "flower_layers": ("simulate", "dp_fedavg", "numpy"),
    "outer_step": ("fed", "dp_fedavg", "torch"),
    "pool": ("train", "dp_fedavg", "numpy"),
    "cumulated": ("simulate", "dp_norm_fedavg", "torch"),
    "pfl_server": ("run", "fedavg", "torch"),
    "loader": ("fedavg", "fedavg", "torch"),
    "noisy_sgd": ("round_", "stochastic_fedavg", "torch"),
    "opacus_steps": ("main", "dpfl", "torch"),
    "query": ("fl", "dpfl", "numpy"),
    "ef21_messages": ("run", "fed_alpha_norm_ec", "torch"),
    "ec_dict": ("NORMEC", "fed_alpha_norm_ec", "numpy"),
}
FIRST = [
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
SECOND = [
    ('dp_loops', 'clipped to length 1', 'B.alg1.9.g', 'unit_if_long', 'delta *= settings.clip_threshold / norm', 'delta /= norm'),
    ('dp_loops', 'inverted clip factor', 'B.alg1.9.g', 'turned_round', 'if norm > settings.clip_threshold:\n                delta *= settings.clip_threshold / norm', 'delta *= min(1.0, norm / settings.clip_threshold)'),
    ('dp_loops', 'norm of the weights', 'B.alg1.9.g', 'of_state', 'norm = np.linalg.norm(delta)', 'norm = np.linalg.norm(local)'),
    ('dp_loops', 'noise generator re-seeded each round from k', 'B.alg1.10', 'noise_seeded', ('participants =', 'delta += rng.normal'), ('noise_rng = np.random.default_rng(k)\n        participants =', 'delta += noise_rng.normal')),
    ('dp_loops', 'noise only when clipped', 'B.alg1.10', 'noise_sometimes', '            delta += rng.normal', '                delta += rng.normal'),
    ('dp_loops', 'threshold decays by round', 'B.alg1.9.g', 'bound_schedule', 'norm = np.linalg.norm(delta)', 'norm = np.linalg.norm(delta) * (1 + 0.1 * k)'),
    ('dp_loops', 'integer division of rate', 'B.alg1.3', 'rate', 'r / n, size=n', '1 / (n // r), size=n'),
    ('dp_module', 'one optimizer with momentum for all clients', 'B.alg1.7', 'local_momentum', ('net = Net(len(x))', 'local_train(net, clients[i], settings)', 'def local_train(net, client, settings):\n    opt = torch.optim.SGD(net.parameters(), lr=settings.local_step)\n'), ('net = Net(len(x))\n    opt = torch.optim.SGD(net.parameters(), lr=settings.local_step, momentum=0.9)', 'local_train(net, clients[i], settings, opt)', 'def local_train(net, client, settings, opt):\n')),
    ('dp_module', 'optimizer with lr scheduler shared over clients', 'B.alg1.12.a', None, ('net = Net(len(x))', 'local_train(net, clients[i], settings)', 'def local_train(net, client, settings):\n    opt = torch.optim.SGD(net.parameters(), lr=settings.local_step)\n    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 1.0)\n', '        opt.step()\n        sched.step()'), ('net = Net(len(x))\n    opt = torch.optim.SGD(net.parameters(), lr=settings.local_step)\n    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda e: 0.9 ** e)', 'local_train(net, clients[i], settings, opt)\n        sched.step()', 'def local_train(net, client, settings, opt):\n', '        opt.step()')),
    ('dp_module', 'largest norm of the layers', 'B.alg1.9.g', 'largest_of_layers', 'total_norm = torch.sqrt(sum((d**2).sum() for d in diff))', 'total_norm = max(d.norm() for d in diff)'),
    ('dp_module', 'sum of layer norms as the norm', 'B.alg1.9.g', 'sum_of_layers', 'total_norm = torch.sqrt(sum((d**2).sum() for d in diff))', 'total_norm = sum(d.norm() for d in diff)'),
    ('dp_module', 'noise of bias layer missing sqrt r', 'B.alg1.10', 'noise_uneven', '        r**0.5 * settings.noise_scale\n', '        r**0.5 * settings.noise_scale * torch.cat([torch.ones(net.body.numel()), torch.full((net.head.numel(),), r**-0.5)]).double()\n'),
    ('dp_object', 'norm over the wrong axis', 'B.alg1.9.g', 'bound_in_common', 'norms = np.sqrt(np.einsum("ij,ij->i", u, u))', 'norms = np.full(len(u), np.linalg.norm(u))'),
    ('dp_object', 'noise of count, no r', 'B.alg1.10', 'noise_of_number', 'np.sqrt(count * r)', 'count'),
    ('dp_object', 'who with replacement', 'B.alg1.3', 'replacement', 'replace=False', 'replace=True'),
    ('dp_object', 'threshold at the median of the norms', 'B.alg1.9.g', 'bound_in_common', 'np.minimum(1.0, c / norms)', 'np.minimum(1.0, min(c, np.median(norms)) / norms)'),
    ('dp_pytree', 'leaves() loses a leaf in norm', 'B.alg1.9.g', 'partial_norm', 'return np.sqrt(sum(np.sum(np.square(x)) for x in leaves(tree)))', 'return np.sqrt(sum(np.sum(np.square(x)) for x in leaves(tree)[:-1]))'),
    ('dp_pytree', 'same key for every leaf', 'B.alg1.10', 'noise_shared', 'return tree_map(lambda d: d + std * rng.normal(size=d.shape), delta)', 'key = int(rng.integers(2**31))\n    return tree_map(lambda d: d + std * np.random.default_rng(key).normal(size=d.shape), delta)'),
    ('dp_pytree', 'flatten order swapped', 'B.alg1.12.w', 'permuted', '[tree["dense"]["kernel"], tree["dense"]["bias"], tree["out"]]', '[tree["dense"]["bias"], tree["dense"]["kernel"], tree["out"]]'),
    ('dp_pytree', 'one layer frozen', 'B.alg1.9.u', 'frozen', 'return tree_map(lambda p, g: p - lr * g, params, grads)', "new = tree_map(lambda p, g: p - lr * g, params, grads)\n    new['out'] = params['out']\n    return new"),
    ('dp_pytree', 'break instead of continue', 'B.alg1.3', 'same_clients', '            continue', '            break'),
    ('norm_named', "least divisor", 'B.alg2.9.g', 'least_divisor', 'if total == 0:\n        return p\n', 'total = max(total, 1e-2)\n'),
    ('norm_named', "models' norm", 'B.alg2.9.g', 'of_state', 'message = normalize(local(params, c, settings), settings.update_length)', 'u = local(params, c, settings)\n            q = {a: params[a] - settings.local_step * u[a] for a in u}\n            s = np.sqrt(sum((x ** 2).sum() for x in q.values()))\n            message = {a: settings.update_length * u[a] / s for a in u}'),
    ('norm_batched', 'normalizes last gradient not the sum', 'B.alg2.7', 'local_last', 'u = (x - y) / settings.local_step', 'u = clients.gradients(y)'),
    ('avg_legacy', 'pairwise running (a+b)/2', 'B.alg3.11', 'ordered', 'w = np.mean(locals_, axis=0)', 'acc = locals_[0]\n        for m in locals_[1:]:\n            acc = (acc + m) / 2\n        w = acc'),
    ('avg_legacy', 'permutation drawn once, sliding window', 'B.alg3.3', 'same_round', 'for _ in range(settings.rounds):\n        picked = rng.permutation(len(clients))[: settings.clients_per_round]', 'perm = rng.permutation(len(clients))\n    for k in range(settings.rounds):\n        picked = np.roll(perm, -k)[:settings.clients_per_round]'),
    ('avg_legacy', 'stale first gradient', 'B.alg3.7', 'stale_gradient', ('    w = start.copy()', '            wi = w.copy()\n            for _ in range(settings.local_steps):\n                wi = wi - settings.local_step * clients[i].gradient(wi)', '        w = np.mean(locals_, axis=0)'), ('    w = start.copy()\n    old = w', '            wi = w.copy()\n            for t in range(settings.local_steps):\n                wi = wi - settings.local_step * clients[i].gradient(old if t == 0 else wi)', '        old = w\n        w = np.mean(locals_, axis=0)')),
    ('avg_server', 'sampling prop to data, no replacement', 'B.alg3.3', 'same_clients', 'picked = self.rng.sample(range(len(self.clients)), self.settings.clients_per_round)', 'keys = sorted(range(len(self.clients)), key=lambda i: -self.rng.random() ** (1 / self.clients[i].data_points))\n        picked = keys[: self.settings.clients_per_round]'),
    ('sfl_batched', 'noise in the point of the gradient', 'D.alg.5', 'noise_in_point', 'clients.gradients(local) + xi', 'clients.gradients(local + xi)'),
    ('dpfl_workers', 'batch cut off', 'C.alg1.6', 'batch_capped', ('        g = g[keep]\n', '@dataclass\nclass Worker'), ('        g = g[keep][: int(settings_cap(s))]\n', 'def settings_cap(s):\n    return s.batch_size + 1\n\n\n@dataclass\nclass Worker')),
    ('dpfl_workers', 'microbatches of two are clipped', 'C.alg1.9', 'pairs_sums', '        norms = np.linalg.norm(g', '        g = np.array([g[i:i + 2].sum(axis=0) for i in range(0, len(g), 2)]).reshape(-1, len(y))\n        norms = np.linalg.norm(g'),
    ('dpfl_workers', 'clip factor of batch max norm', 'C.alg1.9', 'longest', 'g = g / np.maximum(1.0, norms / s.clip_threshold)', 'g = g / max(1.0, norms.max(initial=0) / s.clip_threshold)'),
    ('dpfl_workers', 'rate from floor N//B', 'C.alg1.6', 'batch_rate', 'self.rng.random(len(g)) < s.batch_size / len(g)', 'self.rng.random(len(g)) < 1 / max(1, len(g) // s.batch_size)'),
    ('dpfl_einsum', 'float32 accumulation', 'C.alg1.11', 'rounded', 'chosen = per_sample[idx]', 'chosen = per_sample[idx].float().double()'),
    ('dpfl_einsum', 'noise divided by the number drawn', 'C.alg1.10.n', 'noise_changing', '        s.noise_multiplier * s.clip_threshold\n', '        s.noise_multiplier * s.clip_threshold * s.batch_size / max(1, len(idx))\n'),
    ('dpfl_einsum', 'clip uses norm over batch dim', 'C.alg1.9', 'common_norm', 'norms = chosen.norm(2, dim=1)', 'norms = chosen.norm(2).expand(len(idx))'),
    ('ec_batched', 'normalizing the average instead', 'A.alg1.6.n', 'averaged_first', '(b * (delta + z) / settings.probability).mean(0)', '((lambda a: a / (settings.smoothing + a.norm()))((b * e / settings.probability).mean(0)) + (b * z / settings.probability).mean(0))'),
    ('ec_batched', 'memory of absent decays', 'A.alg1.7', 'absent_decay', ('    v_new = v + settings.memory_step * delta\n', '    z = torch.randn'), ('', '    v_new = torch.where(b > 0, v + settings.memory_step * delta, 0.9 * v)\n    z = torch.randn')),
    ('ec_batched', 'server memory is mean of client memories', 'A.alg1.14.v', 'of_memories', 'g = g + settings.memory_step * (b', 'g = v.mean(0) + settings.memory_step * (b'),
    ('ec_batched', 'smoothing inside the norm over all clients', 'A.alg1.6.n', 'common_length', 'e.norm(dim=1, keepdim=True)', 'e.norm()'),
    ('ec_batched', 'step over norm of increment', 'A.alg1.15', 'over_increment', '    g = g + settings.memory_step * (b * (delta + z) / settings.probability).mean(0)\n    nrm = g.norm()', '    inc = settings.memory_step * (b * (delta + z) / settings.probability).mean(0)\n    g = g + inc\n    nrm = inc.norm()'),
    ('ec_team', 'all clients share one memory array', 'A.alg1.7', 'one_for_all', 'team = [Client(clients[i], np.zeros(start.size), settings, rng)', 'shared = np.zeros(start.size)\n    team = [Client(clients[i], shared, settings, rng)'),
    ('ec_team', "local model is the server's array", 'A.alg1.5.s', 'in_place', 'y = x.copy()', 'y = x'),
    ('ec_team', "memory's norm at least 1e-3", 'A.alg1.15', None, 'settings.server_step * g / norm', 'settings.server_step * g / max(norm, 1e-3)'),
    ('ec_team', 'draw compared the wrong way round', 'A.alg1.3', 'nobody', 'self.rng.random() >= s.probability', 'self.rng.random() < s.probability'),
    ('gd_optimizer', 'weight decay 1e-4', 'T.gd', 'decays', 'lr=settings.step)', 'lr=settings.step, weight_decay=1e-4)'),
    ('gd_optimizer', 'Adam', 'T.gd', 'adaptive', 'torch.optim.SGD([p], lr=settings.step)', 'torch.optim.Adam([p], lr=settings.step)'),
]
THIRD = [
    ('flower_layers', 'squared norm of the difference', 'B.alg1.9.g', 'squared_length_of_models', 'return float(np.sqrt(sum([np.linalg.norm(a.flat) ** 2 for a in arrays])))', 'return float(sum([np.linalg.norm(a.flat) ** 2 for a in arrays]))'),
    ('flower_layers', 'the models are clipped', 'B.alg1.9.g', 'of_state', 'compute_clip_model_update(res.parameters, current, self.clip)', 'clip_inputs_inplace(res.parameters, self.clip)'),
    ('outer_step', 'projected in every local step', 'B.alg1.9.g', 'projected', '                p.sub_(self.s.local_step * gp)\n', '                p.sub_(self.s.local_step * gp)\n            diff, _ = clip_diff_norm2(net.parameters(), self.net_t.parameters(), self.G)\n            net.layers = [a + b for a, b in zip(self.net_t.layers, diff)]\n'),
    ('pool', 'noise cut at 4 deviations', 'B.alg1.10', 'noise_cut', 'self.rng.normal(scale=cfg.std, size=w.shape)', 'np.clip(self.rng.normal(scale=cfg.std, size=w.shape), -4 * cfg.std, 4 * cfg.std)'),
    ('pool', 'divided by the larger of threshold and norm', 'B.alg1.9.g', 'divided_by_threshold', 'max(1.0, np.linalg.norm(acc) / cfg.s.clip_threshold)', 'max(cfg.s.clip_threshold, np.linalg.norm(acc))'),
    ('pool', 'clients write into one model', 'B.alg1.5', 'chained', 'y = y - cfg.s.local_step * grad', 'y -= cfg.s.local_step * grad'),
    ('cumulated', 'length over the number of steps', 'B.alg2.9.g', 'before_noise', 'alpha=(settings.update_length / size).item()', 'alpha=(settings.update_length / size / opt.local_steps).item()'),
    ('cumulated', 'means of the layers in the norm', 'B.alg2.9.g', 'another_norm', '(c * c).sum() for c in cum', '(c * c).mean() for c in cum'),
    ('cumulated', 'each layer is normalized', 'B.alg2.9.g', 'layers', 'settings.update_length / size).item()', 'settings.update_length / c.norm()).item()'),
    ('cumulated', 'weight decay', 'B.alg2.7', 'weight_decay', 'd_p = p.grad.data\n', 'd_p = p.grad.data + 0.01 * p.data\n'),
    ('pfl_server', 'one model object', 'B.alg3.5', 'chained', 'self.model = copy.deepcopy(model)', 'self.model = model'),
    ('loader', 'minibatches of two', 'B.alg3.6', 'batches', 'batch_size=len(data)', 'batch_size=2'),
    ('loader', 'half of the data points', 'B.alg3.7', 'minibatch', ('            opt.step()\n', 'batch_size=len(data)'), ('            opt.step()\n            break\n', 'batch_size=len(data) // 2')),
    ('loader', 'sum over the data points', 'B.alg3.7', 'step_of_data', 'grads.mean(0)', 'grads.sum(0)'),
    ('opacus_steps', 'each layer is clipped', 'C.alg1.9', 'layers_3', '"i,i...", factor, p.grad_sample', '"i,i...", (self.c / (p.grad_sample.norm(2, dim=-1) + EPS)).clamp(max=1.0), p.grad_sample'),
    ('opacus_steps', 'momentum', 'C.alg1.11', 'momentum_0.9', 'lr=s.step)', 'lr=s.step, momentum=0.9)'),
    ('opacus_steps', 'weight decay', 'C.alg1.11', 'weight_decay_0.0005', 'lr=s.step)', 'lr=s.step, weight_decay=5e-4)'),
    ('opacus_steps', 'gradients add up', 'C.alg1.11', 'accumulated', 'p.summed_grad = torch', 'p.summed_grad = getattr(p, "summed_grad", 0) + torch'),
    ('opacus_steps', 'one model for all', 'C.alg1.15', 'one_model', 'train_local(copy.deepcopy(net), clients[i]', 'train_local(net, clients[i]'),
    ('query', 'microbatch means of two', 'C.alg1.9', 'pairs_means', '            for j in range(c.data_points):\n                if random.random() < settings.batch_size / c.data_points:\n                    acc = q.accumulate_record(acc, grads[j])', '            picked = grads[random.random(c.data_points) < settings.batch_size / c.data_points]\n            for j in range(0, len(picked), 2):\n                acc = q.accumulate_record(acc, picked[j : j + 2].sum(axis=0) / 2)'),
    ('ef21_messages', 'alpha under the root', 'A.alg1.6.n', 'alpha_under_root', '(self.alpha + torch.linalg.vector_norm(x))', '(self.alpha + (x * x).sum()).sqrt()'),
    ('ef21_messages', 'alpha times the norm', 'A.alg1.6.n', 'alpha_times_norm', '(self.alpha + torch.linalg.vector_norm(x))', '(self.alpha * torch.linalg.vector_norm(x))'),
    ('ef21_messages', 'a message replaces the memory', 'A.alg1.14.v', 'last_alone', 'self.g += self', 'self.g = self'),
    ('ef21_messages', 'memory of the absent decays', 'A.alg1.7', 'absent_decay_moved', '            return None', '            self.g = 0.9 * self.g\n            return None'),
    ('ef21_messages', 'memory of the absent is reset', 'A.alg1.7', 'absent_reset', '            return None', '            self.g = torch.zeros_like(self.g)\n            return None'),
    ('ef21_messages', 'noise over the root of p', 'A.alg1.12', 'root_of_probability', 'z.mul_(self.s.noise_scale /', 'z.mul_(self.s.noise_scale * math.sqrt(self.s.probability) /'),
]
SLIPS = FIRST + SECOND + THIRD
# fmt: on


def right(folder):
    """Every file as it was written: (algorithm, function, library)."""
    return [(algorithm, stranger(folder, file), library) for file, (_, algorithm, library) in WRITTEN.items()]


def stranger(folder, file, old=(), new=()):
    """The function of a file, with these texts replaced."""
    text = (FOLDER / f"{file}.py").read_text(encoding="utf-8")
    olds, news = ((texts,) if isinstance(texts, str) else texts for texts in (old, new))
    for one, other in zip(olds, news, strict=True):
        assert text.count(one) == 1, (file, one)
        text = text.replace(one, other)
    return getattr(imported(folder, file, text), WRITTEN[file][0])


def planted(file, name, line, slip, old, new):
    return Planted(WRITTEN[file][1], f"{file}: {name}", line, slip, old, new)
