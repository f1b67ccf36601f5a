"""Stage 4. Incidence (integers) -> StructuralPlan."""
