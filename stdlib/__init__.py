"""Class libraries written in the language (`*.mo`)."""
