"""Stage 1. Text -> SyntaxTree."""
