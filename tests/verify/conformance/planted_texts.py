"""The texts of the planted slips: (name, line, slip, old, new), one slip a line."""

# ruff: noqa: E501  a table is read by its rows
# fmt: off

LOOP = "    for _ in range(settings.local_steps):\n        local = local - settings.local_step * client.gradient(local)\n"
U = "u = (w - local) / settings.local_step"
G = "g = bounded(u, settings.clip_threshold)"
ZEROS = "r, total = settings.clients_per_round, np.zeros_like(w)"
MIN = "u * min(1.0, threshold / max(np.linalg.norm(u), 1e-300))"
ZETA = "zeta = math.sqrt(r) * settings.noise_scale * random.standard_normal(len(w))"
AVERAGE = "average = total / r"
LAST = "return w - settings.server_step * average"
DRAWN = "[i for i in range(n) if random.random() < settings.clients_per_round / n]"
CALL = "local_model(w, clients[i], settings)"
SUM = "total = total + g + zeta"
NOISY = "settings.noise_scale / math.sqrt(len(x)) * random.standard_normal(len(x))"

# of the local steps: the same in all averaging algorithms
LOCAL = [
    ("half_step", "7", "half", "settings.local_step * client", "0.5 * settings.local_step * client"),
    ("one_step_less", "6", "one_too_few", "range(settings.local_steps)", "range(settings.local_steps - 1)"),
    ("epochs", "6", "epochs", "range(settings.local_steps)", "range(settings.local_steps * client.data_points)"),
    ("ended_early", "6", "ended_early", LOOP, "    for _ in range(settings.local_steps):\n        g = client.gradient(local)\n        if np.linalg.norm(g) < 1e-5:\n            break\n        local = local - settings.local_step * g\n"),
    ("descent_only", "7", "descent_only", LOOP, "    for _ in range(settings.local_steps):\n        tried = local - settings.local_step * client.gradient(local)\n        if client.value(tried) > client.value(local):\n            break\n        local = tried\n"),
    ("coordinate_by_coordinate", "7", "coordinate_by_coordinate", LOOP, "    local = w.copy()\n    for _ in range(settings.local_steps):\n        for j in range(len(local)):\n            local[j] -= settings.local_step * client.gradient(local)[j]\n"),
    ("chained", "5", "chained", CALL, "local_model(local if i != taking[0] else w, clients[i], settings)"),
]
KEPT = [
    ("gradients_bounded_at_50", "7", "gradient_bounded", "client.gradient(local)", "client.gradient(local) / max(1.0, np.linalg.norm(client.gradient(local)) / 50)"),
    ("gradients_bounded_at_1", "7", "gradient_bounded", "client.gradient(local)", "client.gradient(local) / max(1.0, np.linalg.norm(client.gradient(local)))"),
    ("gradient_kept", "7", "gradient_kept", "client.gradient(local)", "client.gradient(w)"),
]
PRIVATE = [
    ("step_over_steps", "7", "divided_by_steps", "settings.local_step * client", "settings.local_step / settings.local_steps * client"),
    ("server_step_locally", "7", "server_step_in_its_place", "settings.local_step * client", "settings.server_step * client"),
    ("local_momentum", "7", "local_momentum", LOOP, "    v = 0\n    for _ in range(settings.local_steps):\n        v = 0.9 * v + client.gradient(local)\n        local = local - settings.local_step * v\n"),
    ("weight_decay", "7", "weight_decay", "client.gradient(local)", "(client.gradient(local) + 0.01 * local)"),
    ("falling_step", "7", "local_decay", ("for _ in range(settings.local_steps)", "settings.local_step * client"), ("for t in range(settings.local_steps)", "settings.local_step / (t + 1) * client")),
    ("noise_of_wanted", "10", "noise_of_wanted", (SUM, AVERAGE), ("total = total + g", "total = total + (len(taking) > 0) * " + "r * settings.noise_scale * random.standard_normal(len(w))\n    " + AVERAGE)),
    ("noise_of_absent", "10", "noise_of_absent", (SUM, AVERAGE), ("total = total + g", "for _ in range(len(clients)):\n        " + "total = total + math.sqrt(r) * settings.noise_scale * random.standard_normal(len(w))\n    " + AVERAGE)),
    ("one_step_more", "6", "one_too_many", "range(settings.local_steps)", "range(settings.local_steps + 1)"),
    ("single_step", "6", "single", "range(settings.local_steps)", "range(1)"),
    ("everybody", "3", "everybody", DRAWN, "list(range(n))"),
    ("fixed_size", "3", "fixed_size", DRAWN, "list(random.permutation(n)[: settings.clients_per_round])"),
    ("replacement", "3", "replacement", DRAWN, "list(random.integers(n, size=settings.clients_per_round))"),
    ("first_clients", "3", "same_set", DRAWN, "list(range(settings.clients_per_round))"),
    ("seed_kept", "3", "same_set", DRAWN, "[i for i in range(n) if np.random.default_rng(i).random() < settings.clients_per_round / n]"),
    ("one_coin", "3", "blocks", DRAWN, "list(range(n)) if random.random() < settings.clients_per_round / n else []"),
    ("rate_half", "3", "rate", DRAWN, "[i for i in range(n) if random.random() < 0.75 * settings.clients_per_round / n or n == settings.clients_per_round]"),
    ("neighbors", "3", "blocks", DRAWN, "[(i + s) % n for s in [random.integers(n)] for i in range(settings.clients_per_round)]"),
    ("one_left_out", "3", "capped", DRAWN, "[i for i in range(n) if random.random() < settings.clients_per_round / n][: max(1, n - 1)]"),
    ("never_empty", "3", "never_empty", DRAWN, "[i for i in range(n) if random.random() < settings.clients_per_round / n] or [int(random.integers(n))]"),
    ("uneven_rates", "3", "same_clients", DRAWN, "[i for i in range(n) if random.random() < settings.clients_per_round / n * (1.3 if i % 2 else 0.7) or settings.clients_per_round == n]"),
    ("noise_n", "10", "n_for_r", ZETA, ZETA.replace("math.sqrt(r)", "math.sqrt(len(clients))")),
    ("noise_over_n", "10", "over_all_clients", ZETA, ZETA + " / len(clients)"),
    ("noise_cut_at_2", "10", "noise_cut", ZETA, ZETA.replace("random.standard_normal(len(w))", "np.clip(random.standard_normal(len(w)), -2, 2)")),
    ("noise_cut_at_3", "10", "noise_cut", ZETA, ZETA.replace("random.standard_normal(len(w))", "np.clip(random.standard_normal(len(w)), -3, 3)")),
    ("noise_partly", "10", "noise_uneven", ZETA, ZETA + "; zeta[-1] = 0"),
    ("noise_rounded", "10", "noise_rounded", ZETA, ZETA + "; zeta = np.round(zeta)"),
    ("noise_positive", "10", "noise_mean", ZETA, "zeta = abs(" + ZETA[7:] + ")"),
    ("noise_student", "10", "noise_law", ZETA, ZETA.replace("random.standard_normal(len(w))", "random.standard_t(6, size=len(w)) * (4 / 6) ** 0.5")),
    ("noise_6_percent", "10", None, ZETA, ZETA.replace("zeta = ", "zeta = 1.06 * ")),
    ("last_left_out", "12.a", "left_out", "for i in taking:", "for i in taking[:-1]:"),
    ("server_step_root", "12.w", None, LAST, "return w - settings.server_step**0.5 * average"),
    ("gradients_add_up", "7", "local_accumulated", LOOP, "    g = 0\n    for _ in range(settings.local_steps):\n        g = g + client.gradient(local)\n        local = local - settings.local_step * g\n"),
    ("step_times_0.9", "7", "local_geometric", ("for _ in range(settings.local_steps)", "settings.local_step * client"), ("for t in range(settings.local_steps)", "settings.local_step * 0.9**t * client")),
    ("local_adam", "7", "adaptive_local", LOOP, "    m, v = 0, 0\n    for t in range(settings.local_steps):\n        g = client.gradient(local)\n        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2\n        local = local - settings.local_step * m / (1 - 0.9 ** (t + 1)) / (np.sqrt(v / (1 - 0.999 ** (t + 1))) + 1e-8)\n"),
    ("mean_gradient", "7", "mean_gradient", (CALL, "def local_model"), ("local_model(w, clients, settings)", "def local_model")),
    ("sign_of_average", "12.w", "adaptive", LAST, "return w - settings.server_step * average / (np.abs(average) + 1e-8)"),
    ("last_alone", "12.a", "one_client", SUM, "total = r * (g + zeta)"),
    ("noise_of_one_seed", "10", "noise_seeded", ZETA, ZETA.replace("random.", "np.random.default_rng([i, *np.abs(1e9 * w[:4]).astype(np.uint32)]).")),
    ("noise_laplace_of_scale", "10", "noise_law", ZETA, ZETA.replace("random.standard_normal(len(w))", "random.laplace(size=len(w))")),
    ("proximal_term", "7", "proximal", "client.gradient(local)", "(client.gradient(local) + 0.5 * (local - w))"),
    ("sum", "12.a", "sum", AVERAGE, "average = total"),
    ("who_came", "12.a", "came", AVERAGE, "average = total / max(1, len(taking))"),
    ("all_clients", "12.a", "all_clients", AVERAGE, "average = total / len(clients)"),
    ("data_sizes", "12.a", "data_sizes", SUM, "total = total + r * clients[i].data_points / sum(c.data_points for c in clients) * g + zeta"),
    ("root_of_r", "12.a", "root", AVERAGE, "average = total / math.sqrt(r)"),
    ("server_step_ignored", "12.w", "ignored", LAST, "return w - average"),
    ("local_step_for_server", "12.w", "local_step_in_its_place", LAST, "return w - settings.local_step * average"),
    ("both_steps", "12.w", "times_local_step", LAST, "return w - settings.server_step * settings.local_step * average"),
    ("wrong_sign", "12.w", "wrong_sign", LAST, "return w + settings.server_step * average"),
    ("server_step_0.9", "12.w", "multiple", LAST, "return w - 0.9 * settings.server_step * average"),
    ("no_noise", "10", "none", ZETA, "zeta = 0"),
    ("noise_without_r", "10", "without_r", ZETA, "zeta = settings.noise_scale * random.standard_normal(len(w))"),
    ("noise_r", "10", "r_not_root", ZETA, "zeta = r * settings.noise_scale * random.standard_normal(len(w))"),
    ("noise_variance", "10", "variance_for_deviation", ZETA, "zeta = math.sqrt(r) * settings.noise_scale**2 * random.standard_normal(len(w))"),
    ("noise_root", "10", "root_too_many", ZETA, "zeta = math.sqrt(r * settings.noise_scale) * random.standard_normal(len(w))"),
    ("noise_twice", "10", "twice", LAST, "return w - settings.server_step * (average + settings.noise_scale * random.standard_normal(len(w)))"),
    ("noise_threshold", "10", "times_threshold", ZETA, ZETA.replace("zeta = ", "zeta = settings.THRESHOLD * ")),
    ("noise_local_step", "10", "times_local_step", ZETA, ZETA.replace("zeta = ", "zeta = settings.local_step * ")),
    ("noise_total", "10", "total_variance", ZETA, ZETA.replace("zeta = ", "zeta = len(w) ** -0.5 * ")),
    ("noise_repeated", "10", "noise_seeded", ZETA, ZETA.replace("random.", "np.random.default_rng(7 + i).")),
    ("noise_common", "10", "noise_common", ZETA, "common = common if i != taking[0] else random.standard_normal(len(w))\n        zeta = math.sqrt(r) * settings.noise_scale * common"),
    ("noise_shared", "10", "noise_shared", ZETA, ZETA.replace("random.standard_normal(len(w))", "random.standard_normal() * np.ones(len(w))")),
    ("noise_laplace", "10", "noise_law", ZETA, ZETA.replace("random.standard_normal(len(w))", "random.laplace(size=len(w)) / math.sqrt(2)")),
    ("noise_uniform", "10", "noise_law", ZETA, ZETA.replace("random.standard_normal(len(w))", "random.uniform(-(3**0.5), 3**0.5, size=len(w))")),
    ("noise_bounded", "10", "noise_bounded", SUM, "total = total + bounded(u + zeta, settings.THRESHOLD)"),
    ("averaged_first", "9.g", "averaged_first", (ZEROS, SUM, AVERAGE), ("r, total, noises = settings.clients_per_round, np.zeros_like(w), 0", "total, noises = total + u, noises + zeta", "average = bounded(total / r, settings.THRESHOLD) + noises / r")),
    ("noise_after_step", "10", "after_the_step", ZETA, ZETA.replace("zeta = ", "zeta = 1 / settings.server_step * ")),
]
CLIPPING = [
    ("each_layer", "9.g", "layers", MIN, "np.concatenate([v * min(1.0, threshold / max(np.linalg.norm(v), 1e-300)) for v in np.split(u, [2])])"),
    ("each_layer_at_root", "9.g", "layers", MIN, "np.concatenate([v * min(1.0, threshold / 2**0.5 / max(np.linalg.norm(v), 1e-300)) for v in np.split(u, [2])])"),
    ("max_for_min", "9.g", "lengthened", MIN, MIN.replace("min", "max")),
    ("models_difference", "9.u", "not_divided_by_step", U, "u = w - local"),
    ("short_left_out", "9.u", "short_left_out", U, U + "; u = np.where(np.abs(u) < 1e-3, 0.0, u)"),
    ("update_bounded_at_500", "9.u", "update_bounded", U, U + "; u = bounded(u, 500.0)"),
    ("threshold_from_twice_on", "9.g", "switched", MIN, "u * (1.0 if np.linalg.norm(u) <= 2 * threshold else threshold / np.linalg.norm(u))"),
    ("over_steps", "9.u", "divided_by_steps", U, U + " / settings.local_steps"),
    ("root_of_step", "9.u", "root_of_step", U, "u = (w - local) / math.sqrt(settings.local_step)"),
    ("not_clipped", "9.g", "none", MIN, "u"),
    ("normalized", "9.g", "normalize", MIN, "u * threshold / max(np.linalg.norm(u), 1e-300)"),
    ("each_coordinate", "9.g", "each_coordinate", MIN, "np.clip(u, -threshold, threshold)"),
    ("root_too_many", "9.g", "root", MIN, "u * min(1.0, math.sqrt(threshold / max(np.linalg.norm(u), 1e-300)))"),
    ("squared_norm", "9.g", "squared_length", MIN, "u * min(1.0, threshold / max(np.sum(u**2), 1e-300))"),
    ("sum_norm", "9.g", "sum_norm", MIN, "u * min(1.0, threshold / max(np.sum(np.abs(u)), 1e-300))"),
    ("smooth", "9.g", "smooth", MIN, "u * threshold / (threshold + np.linalg.norm(u))"),
    ("each_step", "9.g", "each_step", "client.gradient(local)", "bounded(client.gradient(local), settings.clip_threshold)"),
    ("each_step_only", "9.g", "each_step", (G, "client.gradient(local)"), ("g = u", "bounded(client.gradient(local), settings.clip_threshold)")),
    ("threshold_1.1", "9.g", None, MIN, "u * min(1.0, 1.1 * threshold / max(np.linalg.norm(u), 1e-300))"),
]
# what an engineer's trial of 130 slips has shown besides
CLIPPING += [
    ("mean_of_points", "7", "local_mean", LOOP, "    mean = 0 * w\n    for _ in range(settings.local_steps):\n        local = local - settings.local_step * client.gradient(local)\n        mean = mean + local / settings.local_steps\n    local = mean\n"),
    ("late_gradient", "7", "local_late", LOOP, "    before = local\n    for _ in range(settings.local_steps):\n        local, before = local - settings.local_step * client.gradient(before), local\n"),
    ("damped_momentum", "7", "local_momentum", LOOP, "    v = 0\n    for _ in range(settings.local_steps):\n        v = 0.9 * v + 0.1 * client.gradient(local)\n        local = local - settings.local_step * v\n"),
    ("decay_beside_signs", "7", "adaptive_local", LOOP, "    for _ in range(settings.local_steps):\n        local = (1 - 0.01 * settings.local_step) * local - settings.local_step * np.sign(client.gradient(local))\n"),
    ("gradients_normalized", "7", "gradient_normalized", "client.gradient(local)", "client.gradient(local) / max(np.linalg.norm(client.gradient(local)), 1e-300)"),
    ("averaged_steps", "5", "averaged_steps", ("taking = sampled(clients, settings, random)", CALL), ("taking = sampled(clients, settings, random)\n    shared = dict.fromkeys(taking, w)\n    for _ in range(settings.local_steps):\n        center = sum(shared.values()) / max(1, len(shared))\n        shared = {i: shared[i] - settings.local_step * clients[i].gradient(center) for i in shared}", "shared[i]")),
    ("larger_half", "9.u", "short_left_out", U, U + "; u = np.where(np.abs(u) >= np.median(np.abs(u)), u, 0.0)"),
    ("constant_under_root", "9.g", "small_square", MIN, "u * min(1.0, threshold / math.sqrt(u @ u + 1e-6))"),
    ("last_not_clipped", "9.g", "some_coordinates", MIN, "np.append(u[:-1] * min(1.0, threshold / max(np.linalg.norm(u[:-1]), 1e-300)), u[-1:])"),
    ("root_mean_square", "9.g", "threshold_times_dimension", MIN, "u * min(1.0, threshold / max(np.sqrt(np.mean(u**2)), 1e-300))"),
    ("threshold_times_steps", "9.g", "threshold_times_steps", G, "g = bounded(u, settings.clip_threshold * settings.local_steps)"),
    ("divided_before", "12.a", "divided_first", G, "g = r * bounded(u / r, settings.clip_threshold)"),
    ("median", "12.a", "no_sum", (ZEROS, SUM, AVERAGE), ("r, total = settings.clients_per_round, []", "total.append(g + zeta)", "average = np.median(total, axis=0) * len(total) / r if total else 0 * w")),
    ("outliers_left_out", "12.a", "some_left_out", (ZEROS, SUM, AVERAGE), ("r, total = settings.clients_per_round, []", "total.append(g + zeta)", "total = np.sort(total, axis=0) if total else np.zeros((1, len(w)))\n    average = total.sum(axis=0) / r if len(total) < 5 else total[1:-1].mean(axis=0) * len(total) / r")),
    ("ten_at_most", "12.a", "some_left_out", "for i in taking:", "for i in taking[:10]:"),
    ("size_over_largest", "12.a", "data_sizes_apart", SUM, "total = total + clients[i].data_points / max(c.data_points for c in clients) * (g + zeta)"),
    ("state_in_a_box", "12.w", "state_bounded", LAST, "return np.clip(w - settings.server_step * average, -5.0, 5.0)"),
    ("noise_deviation_as_variance", "10", "deviation_for_variance", ZETA, "zeta = math.sqrt(math.sqrt(r) * settings.noise_scale) * random.standard_normal(len(w))"),
    ("noise_variance_of_clients", "10", "variance_of_clients_for_deviation", ZETA, "zeta = r * settings.noise_scale**2 * random.standard_normal(len(w))"),
]
NORMAL = "u * threshold / max(np.linalg.norm(u), 1e-300)"
NORMALIZED = [
    ("short_left_out", "9.g", "short_left_out", U, U + "; u = np.where(np.abs(u) < 1e-3, 0.0, u)"),
    ("each_layer", "9.g", "layers", NORMAL, "np.concatenate([v * threshold / max(np.linalg.norm(v), 1e-300) for v in np.split(u, [2])])"),
    ("clipped", "9.g", "clip", NORMAL, MIN),
    ("constant_beside_the_models", "9.g", "small_constant_of_models", G.replace("clip_threshold", "update_length"), "g = settings.update_length * u / (np.linalg.norm(u) + 1e-6 / settings.local_step)"),
    ("gradients_normalized", "7", "gradient_normalized", "client.gradient(local)", "client.gradient(local) / max(np.linalg.norm(client.gradient(local)), 1e-300)"),
    ("not_normalized", "9.g", "none", NORMAL, "u"),
    ("unit", "9.g", "unit", NORMAL, "u / max(np.linalg.norm(u), 1e-300)"),
    ("smooth", "9.g", "smooth", NORMAL, "u * threshold / (threshold + np.linalg.norm(u))"),
]
PLAIN_SUM = "total = total + (w - local)"
PLAIN_LAST = "return w - total / r"
TAKEN = "random.permutation(len(clients))[: settings.clients_per_round]"
PLAIN = [
    ("draws_of_one_seed", "3", "draws_repeated", "sampled(clients, settings, random)\n    for", "sampled(clients, settings, np.random.default_rng(np.abs(1e9 * w).astype(np.uint64)))\n    for"),
    ("divided_by_step", "9", "divided_by_step", PLAIN_SUM, "total = total + (w - local) / settings.local_step"),
    ("over_steps", "9", "divided_by_steps", PLAIN_SUM, "total = total + (w - local) / settings.local_steps"),
    ("normalized", "9", "unit", PLAIN_SUM, "total = total + (w - local) / np.linalg.norm(w - local)"),
    ("sum", "11", "sum", PLAIN_LAST, "return w - total"),
    ("models_over_all", "11", "models_over_all", (PLAIN_SUM, PLAIN_LAST), ("total = total + local", "return total / len(clients)")),
    ("first_model_twice", "11", "scaled_model", (PLAIN_SUM, PLAIN_LAST), ("total = total + local * (2 if i == taking[0] else 1)", "return total / r")),
    ("ordered", "11", "ordered", PLAIN_SUM, PLAIN_SUM + " * (2 * (list(taking).index(i) + 1) / (len(taking) + 1))"),
    ("one_more", "3", "one_more", TAKEN, "random.permutation(len(clients))[: settings.clients_per_round + 1]"),
    ("one_less", "3", "one_less", TAKEN, "random.permutation(len(clients))[: max(1, settings.clients_per_round - 1)]"),
    ("all_clients", "11", "all_clients", PLAIN_LAST, "return w - total / len(clients)"),
    ("data_sizes", "11", "data_sizes", PLAIN_SUM, "total = total + r * clients[i].data_points / sum(clients[j].data_points for j in taking) * (w - local)"),
    ("independent", "3", "independent", TAKEN, "[i for i in range(len(clients)) if random.random() < settings.clients_per_round / len(clients)]"),
    ("replacement", "3", "replacement", TAKEN, "random.integers(len(clients), size=settings.clients_per_round) if settings.clients_per_round < len(clients) else range(len(clients))"),
    ("first_clients", "3", "same_set", TAKEN, "range(settings.clients_per_round)"),
    ("neighbors", "3", "blocks", TAKEN, "[(i + s) % len(clients) for s in [random.integers(len(clients))] for i in range(settings.clients_per_round)]"),
    ("everybody", "3", "everybody", TAKEN, "range(len(clients))"),
]
DESCENT = [
    ("client_by_client", "gd", "client_by_client", "    return x - settings.step * clients.gradient(x)\n", "    for client in clients:\n        x = x - settings.step / len(clients) * client.gradient(x)\n    return x\n"),
    ("coordinate_by_coordinate", "gd", "coordinate_by_coordinate", "    return x - settings.step * clients.gradient(x)\n", "    for j in range(len(x)):\n        x[j] -= settings.step * clients.gradient(x)[j]\n    return x\n"),
    ("last_left_out", "gd.f", "left_out", "clients.gradient(x)", "sum(c.gradient(x) for c in list(clients)[:-1]) / len(clients)"),
    ("gradient_clipped", "gd", "gradient_bounded", "clients.gradient(x)", "clients.gradient(x) / max(1.0, (clients.gradient(x) @ clients.gradient(x)) ** 0.5)"),
    ("gradient_bounded", "gd", "gradient_bounded", "clients.gradient(x)", "clients.gradient(x) / max(1.0, abs(clients.gradient(x)).max() / 1e3)"),
    ("sum", "gd.f", "sum", "clients.gradient(x)", "sum(client.gradient(x) for client in clients)"),
    ("data_sizes", "gd.f", "data_sizes", "clients.gradient(x)", "sum(c.data_points * c.gradient(x) for c in clients) / sum(c.data_points for c in clients)"),
    ("half", "gd", "half", "settings.step * clients", "settings.step / 2 * clients"),
    ("wrong_sign", "gd", "wrong_sign", "x - settings.step * clients", "x + settings.step * clients"),
]
STOCHASTIC = [
    ("client_by_client", "sgd", "client_by_client", "    return x - settings.step * (clients.gradient(x) + noise)\n", "    for client in clients:\n        x = x - settings.step / len(clients) * (client.gradient(x) + noise)\n    return x\n"),
    ("coordinate_by_coordinate", "sgd", "coordinate_by_coordinate", "    return x - settings.step * (clients.gradient(x) + noise)\n", "    for j in range(len(x)):\n        x[j] -= settings.step * (clients.gradient(x)[j] + noise[j])\n    return x\n"),
    ("noise_of_gradient", "sgd.noise", "noise_of_gradient", "(clients.gradient(x) + noise)", "clients.gradient(x) * (1 + noise)"),
    ("half", "sgd", "half", "settings.step * (", "settings.step / 2 * ("),
    ("noise_outside", "sgd.noise", "after_the_step", "(clients.gradient(x) + noise)", "clients.gradient(x) - noise"),
    ("sum", "sgd.f", "sum", "clients.gradient(x)", "sum(client.gradient(x) for client in clients)"),
    ("per_coordinate", "sgd.noise", "per_coordinate", NOISY, "settings.noise_scale * random.standard_normal(len(x))"),
    ("no_noise", "sgd.noise", "none", NOISY, "0"),
    ("coordinate_variance", "sgd.noise", "total_variance_for_deviation", NOISY, "settings.noise_scale**2 / len(x) * random.standard_normal(len(x))"),
    ("deviation_as_variance", "sgd.noise", "total_deviation_for_variance", NOISY, "(settings.noise_scale / math.sqrt(len(x))) ** 0.5 * random.standard_normal(len(x))"),
    ("variance", "sgd.noise", "variance_for_deviation", NOISY, "settings.noise_scale**2 / math.sqrt(len(x)) * random.standard_normal(len(x))"),
]
NORMAL = "random.standard_normal(len(x))"
EVERY = "for client in clients:"
ENDS = "    return np.mean(models, axis=0)"
STEPS = "range(settings.local_steps)"
STEP = "local - settings.local_step * noisy_gradient(local, client, settings, random)"
STOCHASTIC_LOCAL = [
    ("some_clients", "2", "some_clients", (EVERY, ENDS), ("for client in [c for c in clients if random.random() < 0.5]:", "    return np.mean(models, axis=0) if models else theta")),
    ("half_of_the_clients", "2", "some_clients", EVERY, "for client in [clients[i] for i in random.permutation(len(clients))[: (len(clients) + 1) // 2]]:"),
    ("chained", "3", "chained", "local = theta\n", "local = models[-1] if models else theta\n"),
    ("averaged_steps", "3", "averaged_steps", ("local = theta\n", STEP), ("local = theta\n        clients_mean = clients\n", STEP.replace("client,", "clients_mean,"))),
    ("one_step_less", "4", "one_too_few", STEPS, "range(settings.local_steps - 1)"),
    ("one_step_more", "4", "one_too_many", STEPS, "range(settings.local_steps + 1)"),
    ("epochs", "4", "epochs", STEPS, "range(settings.local_steps * client.data_points)"),
    ("no_noise", "5", "none", "client.gradient(x) + noise", "client.gradient(x)"),
    ("per_coordinate", "5", "per_coordinate", " / math.sqrt(len(x))", ""),
    ("over_dimension", "5", "total_variance", "math.sqrt(len(x))", "len(x)"),
    ("variance", "5", "variance_for_deviation", "settings.noise_scale / math.sqrt(len(x))", "settings.noise_scale**2"),
    ("coordinate_variance", "5", "total_variance_for_deviation", "settings.noise_scale / math.sqrt(len(x))", "settings.noise_scale**2 / len(x)"),
    ("deviation_as_variance", "5", "total_deviation_for_variance", "settings.noise_scale / math.sqrt(len(x))", "(settings.noise_scale / math.sqrt(len(x))) ** 0.5"),
    ("doubled", "5", "doubled", "client.gradient(x) + noise", "client.gradient(x) + 2 * noise"),
    ("noise_8_percent", "5", None, "client.gradient(x) + noise", "client.gradient(x) + 1.08 * noise"),
    ("noise_outside", "5", "after_the_step", "client.gradient(x) + noise", "client.gradient(x) + noise / settings.local_step"),
    ("step_twice", "5", "step_twice", "client.gradient(x) + noise", "client.gradient(x) + noise * settings.local_step"),
    ("noise_of_gradient", "5", "noise_of_gradient", "client.gradient(x) + noise", "client.gradient(x) * (1 + noise)"),
    ("noise_shifted", "5", "noise_mean", NORMAL, "(random.standard_normal(len(x)) + 0.2) / 1.04**0.5"),
    ("kept_in_round", "5", "kept_in_round", ("local = theta\n", STEP), ("local = theta\n        drawn = noisy_gradient(0 * theta, client, settings, random) - client.gradient(0 * theta)\n", "local - settings.local_step * (client.gradient(local) + drawn)")),
    ("once_a_round", "5", "once_a_round", (STEPS, STEP), ("range(settings.local_steps)", "local - settings.local_step * (client.gradient(local) if _ else noisy_gradient(local, client, settings, random))")),
    ("at_server", "5", "at_server", (STEP, ENDS), ("local - settings.local_step * client.gradient(local)", "    noise = settings.noise_scale / math.sqrt(len(theta)) * random.standard_normal(len(theta))\n    return np.mean(models, axis=0) + noise")),
    ("half_step", "6", "half", "settings.local_step * noisy", "settings.local_step / 2 * noisy"),
    ("gradient_kept", "6", "gradient_kept", "noisy_gradient(local, client", "noisy_gradient(theta, client"),
    ("local_decay", "6", "local_decay", "settings.local_step * noisy", "settings.local_step / (1 + _) * noisy"),
    ("local_root", "6", "local_power", "settings.local_step * noisy", "settings.local_step / (1 + _) ** 0.5 * noisy"),
    ("sum", "8", "scaled_model", ENDS, "    return np.sum(models, axis=0)"),
    ("data_sizes", "8", "data_sizes", ENDS, "    return np.average(models, axis=0, weights=[client.data_points for client in clients])"),
    ("last_model", "8", "one_client", ENDS, "    return models[-1]"),
    ("median", "8", "no_sum", ENDS, "    return np.median(models, axis=0)"),
    ("divided_by_step", "7", "divided_by_step", ENDS, "    return theta - np.mean([(theta - model) / settings.local_step for model in models], axis=0)"),
    ("three_tenths", "8", "multiple", ENDS, "    return 0.7 * theta + 0.3 * np.mean(models, axis=0)"),
    ("half_way", "8", "half", ENDS, "    return (theta + np.mean(models, axis=0)) / 2"),
]  # fmt: skip
