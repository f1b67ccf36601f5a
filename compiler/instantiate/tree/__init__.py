"""Builds the tree of submodels: their declarations, connections and equations (part of stage 2)."""
