"""One small file per integration method; `registry` lists them."""
