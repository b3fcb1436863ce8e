"""Proofs that a machine replays: a checker, a search for missing multipliers, and the standing that follows."""
