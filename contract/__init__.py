"""What the compiler and the runtime agree on. Imports nothing of either."""
