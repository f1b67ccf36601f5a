model Prescribed
  local q(state=always), v, force
  der(q) = v
  der(v) = force
  q = sin(time)
end
