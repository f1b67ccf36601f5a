model Efficiency
  parameter P (unit="W") = 3 %, eta (unit="1") = 3 %/K
  local x
  x = P
end
