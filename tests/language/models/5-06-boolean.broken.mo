model Booleans
  local (Boolean) a, b
  local x
  a = 1
  b = True
  x = true
end
