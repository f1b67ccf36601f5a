model Texts
  parameter m (unit="kg.m2/s2") = 1 "an energy, {not a comment} # nor this"
  local x (unit="J") "energy"
  x = 2*m
end
