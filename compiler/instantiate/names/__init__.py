"""Part of stage 2. Decides which classes and names each file sees, and what a class consists of."""
