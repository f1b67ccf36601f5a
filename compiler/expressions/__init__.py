"""Provides scalar expressions for all stages: hash-consed nodes, derivatives, linear coefficients."""
