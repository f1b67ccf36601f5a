"""Verifies models: the same model, said and computed otherwise, must give the same numbers."""
