"""Source code of a simulator -> trajectories. Never imports the compiler."""
