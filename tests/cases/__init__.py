"""Published test cases: each a model written for Cutset, and curves that others computed for the same system."""
