"""The units of the constants of a problem and of the measures of a run, but those of packages.

F is the unit of the objective and X that of a distance between parameters; "1" is a number without unit.
"""

from typing import Final

CONSTANTS: Final[dict[str, str]] = {
    "smoothness": "F/X^2",
    "client_smoothness": "F/X^2",
    "mean_smoothness": "F/X^2",
    "largest_component_smoothness": "F/X^2",
    "hessian_lipschitz": "F/X^3",
    "strong_convexity": "F/X^2",
    "client_strong_convexity": "F/X^2",
    "lipschitz": "F/X",
    "client_lipschitz": "F/X",
    "largest_component_lipschitz": "F/X",
    "minimum": "F",
    "minimiser": "X",
    "client_minima": "F",
    "component_infimum_gaps": "F",
    "infimum_gap": "F",
    "client_gaps_at_minimiser": "F",
    "largest_client_gap_at_minimiser": "F",
    "client_gradient_norms_at_minimiser": "F/X",
    "mean_squared_client_gradient_at_minimiser": "F^2/X^2",
    "client_gradient_divergence": "F/X",
    "gradient_divergence": "F/X",
    "mean_squared_gradient_divergence": "F^2/X^2",
    "largest_gradient_divergence": "F/X",
    "mean_squared_divergence_growth": "F^2/X^4",
}

MEASURES: Final[dict[str, tuple[str, str]]] = {
    "gap": ("F", "f(w) - min f"),
    "squared_distance": ("X^2", "squared distance to the minimizer of f"),
    "gradient_norm": ("F/X", "norm of the gradient of f"),
    "squared_gradient_norm": ("F^2/X^2", "squared norm of the gradient of f"),
    "client_value": ("F", "value of a client's objective f_i"),
    "client_gap": ("F", "f_i(w) - f_i(w*) of a client, with w* the minimizer of f; it may be negative"),
    "client_gradient_norm": ("F/X", "norm of the gradient of a client's objective"),
    "client_update_norm": ("-", "norm of a client's update, as the listing defines it, before clipping"),
    "client_memory_error": ("F/X", "distance of a client's memory from its update"),
    "server_memory_error": ("F/X", "distance of the server's memory from the mean of the clients' memories"),
    "server_memory_norm": ("F/X", "norm of the server's memory"),
    "taking_part": ("1", "share of the clients that take part in the round"),
    "clipped": ("1", "share of the updates that are clipped"),
    "step_norm": ("X", "length of the server's step"),
    "distance_to_auxiliary": ("X", "distance to the auxiliary sequence of the analysis"),
    "value_difference_to_auxiliary": ("F", "f at the iterate less f at the auxiliary sequence"),
    "auxiliary_gap": ("F", "f - min f at the auxiliary sequence"),
    "active": ("1", "1 while the budget lasts, then 0"),
    "local_steps": ("1", "local steps of the round"),
}


def with_unit(number: str, unit: str) -> str:
    """The number with its unit, if it has one."""
    return number if unit in ("", "1") else f"{number} {unit}"
