"""Lemmas on functions, vectors, matrices, sequences and random vectors: docs/your_lemma.md."""

from bounds.language.lemmas.declaration import assume
from bounds.language.lemmas.expressions import equals
from bounds.language.lemmas.functions_of_numbers import exp, log, maximum, minimum, sqrt
from bounds.language.lemmas.lemma import lemma
from bounds.language.lemmas.matrices import frobenius, matrix, trace
from bounds.language.lemmas.measures import (
    clip,
    expected,
    inner,
    largest,
    mean,
    norm,
    positive_part,
    size,
    total,
)
from bounds.language.lemmas.objects import (
    function,
    index,
    number,
    random_vector,
    vector,
)
from bounds.language.lemmas.sequences import sequence

__all__ = [
    "assume",
    "clip",
    "equals",
    "exp",
    "expected",
    "frobenius",
    "function",
    "index",
    "inner",
    "largest",
    "lemma",
    "log",
    "matrix",
    "maximum",
    "mean",
    "minimum",
    "norm",
    "number",
    "positive_part",
    "random_vector",
    "sequence",
    "size",
    "sqrt",
    "total",
    "trace",
    "vector",
]
