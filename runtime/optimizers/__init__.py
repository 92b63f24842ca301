"""Optimizers: what changes variables so that a loss becomes smaller."""
