"""Part of stage 2. What happens at instants, and the equations of the start."""
