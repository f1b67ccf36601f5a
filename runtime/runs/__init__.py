"""Runs compiled models: single runs, steps, sweeps, steady states."""
