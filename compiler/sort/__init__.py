"""Stage 5: sorts and solves. EquationSystem + StructuralPlan -> SortedSystem -> SolvedSystem."""
