"""Turns the source code of a simulator into trajectories. Never imports the compiler."""
