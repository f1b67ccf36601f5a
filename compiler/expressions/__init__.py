"""Shared vocabulary: hash-consed scalar expressions, derivatives, linear coefficients."""
