"""Part of stage 2. Builds the tree of submodels: what each of them declares, connects and states."""
