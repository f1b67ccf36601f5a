"""Stage 1: parses. Text -> SyntaxTree."""
