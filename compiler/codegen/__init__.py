"""Stage 6: generates code. SolvedSystem -> Program -> SourceFiles, with one small printer per target."""
