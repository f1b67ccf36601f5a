model Guesses
  local x (start=2, fixed=false), v (start=1, fixed=true)
  der(x) = v
  der(v) = -x
  init(x) = 3*v
end
