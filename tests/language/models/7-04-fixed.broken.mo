model Guesses
  local x (start=2, fixed=3), v (fixed)
  der(x) = v
  der(v) = -x
end
