"""Computes what mechanisms have beside a run: dynamics, frames, bodies, the robots that they come from."""
