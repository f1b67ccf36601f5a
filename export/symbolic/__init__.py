"""Holds what functions of models in CasADi, JAX and SymPy consist of, besides the code of the model."""
