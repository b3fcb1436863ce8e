"""DP-FedAvg as coroutines: clients answer a server's request through queues."""

import asyncio

import numpy as np


async def client(me, inbox, outbox, settings):
    while (request := await inbox.get()) is not None:
        weights, rng = request
        model = weights.copy()
        for _ in range(settings.local_steps):
            model -= settings.local_step * me.gradient(model)
            await asyncio.sleep(0)
        delta = (weights - model) / settings.local_step
        delta /= max(1.0, np.linalg.norm(delta) / settings.clip_threshold)
        noise = rng.normal(0.0, settings.noise_scale * np.sqrt(settings.clients_per_round), delta.shape)
        await outbox.put(delta + noise)


async def serve(clients, start, settings, seed):
    root = np.random.SeedSequence(seed)
    drawing, *own = (np.random.default_rng(s) for s in root.spawn(1 + len(clients)))
    boxes, answers = [asyncio.Queue() for _ in clients], asyncio.Queue()
    tasks = [
        asyncio.create_task(client(c, box, answers, settings)) for c, box in zip(clients, boxes, strict=False)
    ]
    x, states = start.copy(), [start.copy()]
    for _ in range(settings.rounds):
        asked = [
            i for i in range(len(clients)) if drawing.binomial(1, settings.clients_per_round / len(clients))
        ]
        for i in asked:
            await boxes[i].put((x, own[i]))
        received = [await answers.get() for _ in asked]
        x = x - settings.server_step / settings.clients_per_round * sum(received, np.zeros_like(x))
        states.append(x)
    for box in boxes:
        await box.put(None)
    await asyncio.gather(*tasks)
    return states


def run(clients, start, settings, seed):
    return asyncio.run(serve(list(clients), start, settings, seed))
