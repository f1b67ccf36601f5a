"""Says a model otherwise: its files -> texts with the same meaning, and what its variables are called there."""
