"""Simulated participants: they take a study over real HTTP, and what was acknowledged is compared with what is kept."""
