"""Descent on the mean, with and without noise."""

from functools import partial

from listings import gradient_descent as listed_gradient_descent
from listings import stochastic_gradient_descent as listed_stochastic_gradient_descent
from listings.cases import at, follows

from synthetic.algorithms import gradient_descent, stochastic_gradient_descent

STEP = 0.25


def agree_on_descent(case):
    steps = case.steps(STEP)
    settings = gradient_descent.Settings(start=case.start(), steps=case.rounds, step=steps)
    states = case.run("gradient_descent", settings).measurements["state"]
    listing = partial(listed_gradient_descent.gradient_descent, step=at(steps), gradient=case.mean_gradient)
    for start, own in zip(settings.start, states, strict=True):
        whole = listing(start, steps=range(case.rounds))
        follows(own, lambda x, k: listing(x, steps=range(k, k + 1))[-1], whole)


def agree_on_stochastic_descent(case, oracle):
    steps, start = case.steps(STEP), case.start()
    settings = stochastic_gradient_descent.Settings(start=start, steps=case.rounds, step=steps, oracle=oracle)
    states = case.run("stochastic_gradient_descent", settings).measurements["state"]
    for replicate in range(case.replicates):
        listing = partial(
            listed_stochastic_gradient_descent.stochastic_gradient_descent,
            step=at(steps),
            gradient=case.mean_gradient,
            noise=partial(case.draws(replicate).error, oracle),
        )
        whole = listing(start[replicate], steps=range(case.rounds))
        follows(states[replicate], lambda x, k, go=listing: go(x, steps=range(k, k + 1))[-1], whole)
