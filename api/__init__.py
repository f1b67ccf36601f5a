"""Cutset: physical models written as equations, compiled and simulated."""
