model Booleans
  parameter (Boolean) p = true
  local (Boolean) a, b
  local x
  a = p and not false
  b = true == false
  x = if a then 1 else 0
end
