"""Reduces equations whose structure hides that they depend on each other."""
