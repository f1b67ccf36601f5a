"""Stage 4: analyzes the structure. Incidence (integers) -> StructuralPlan."""
