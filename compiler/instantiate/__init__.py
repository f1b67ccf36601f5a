"""Stage 2. SyntaxTree and class name -> Instance."""
