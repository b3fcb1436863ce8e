"""The polarization identity."""

from bounds.language.proof.expression import inner
from bounds.language.proof.form import MachineForm
from bounds.papers.fedavg_lojasiewicz import notation


def _prove_polar() -> MachineForm:
    proof = MachineForm("fedavg_lojasiewicz.claims_of_theorem_f2.polar")
    a, b = proof.vector("a"), proof.vector("b")
    norms = (proof.norm(f"norm.{name}", of) for name, of in (("a", a), ("b", b), ("sum", a + b)))
    symbols = (notation.a_norm, notation.b_norm, notation.sum_norm)
    proof.reads = dict(zip(symbols, norms, strict=True)) | {notation.inner_product: inner(a, b)}
    proof.conclude()
    return proof


POLAR = _prove_polar()
