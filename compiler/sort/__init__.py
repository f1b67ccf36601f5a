"""Stage 5. EquationSystem + StructuralPlan -> SortedSystem -> SolvedSystem."""
