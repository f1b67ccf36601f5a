"""Stage 3. Instance -> FlatModel -> EquationSystem."""
