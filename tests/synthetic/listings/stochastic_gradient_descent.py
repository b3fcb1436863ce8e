"""Stochastic gradient descent as the textbook transcription (T.sgd) has it: the noise is added to grad f."""


def stochastic_gradient_descent(x, *, steps, step, gradient, noise):
    """x_0, x_1, ...; noise(k) is the error of step k."""
    states = [x]
    for k in steps:
        x = x - step(k) * (gradient(x) + noise(k))
        states.append(x)
    return states
