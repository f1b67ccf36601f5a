"""Part of stage 2. Evaluates expressions to arrays of scalar expressions."""
