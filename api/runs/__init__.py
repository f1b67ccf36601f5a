"""Runs translated models: single runs, steps, sweeps, batches, points."""
