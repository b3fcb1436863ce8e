"""Proofs that a machine replays: a checker, a search for multipliers, and the standing that follows."""
