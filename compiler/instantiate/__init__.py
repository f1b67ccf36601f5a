"""Stage 2: instantiates. SyntaxTree and class name -> Instance."""
