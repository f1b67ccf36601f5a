"""Types of variables and classes of cuts: what they hand on to declarations, and what expressions may be made of."""
