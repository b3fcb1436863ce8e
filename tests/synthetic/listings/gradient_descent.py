"""Gradient descent as the textbook transcription (T.gd) has it: x_{k+1} = x_k - step grad f(x_k)."""


def gradient_descent(x, *, steps, step, gradient):
    """x_0, x_1, ...; gradient(x) is that of the mean f."""
    states = [x]
    for k in steps:
        x = x - step(k) * gradient(x)
        states.append(x)
    return states
