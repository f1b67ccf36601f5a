"""Stage 6. SolvedSystem -> Program -> SourceFiles, one small printer per target."""
