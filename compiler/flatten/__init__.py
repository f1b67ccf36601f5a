"""Stage 3: flattens. Instance -> FlatModel -> EquationSystem."""
