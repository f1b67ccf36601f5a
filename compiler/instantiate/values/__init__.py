"""Evaluates expressions to arrays of scalar expressions (part of stage 2)."""
