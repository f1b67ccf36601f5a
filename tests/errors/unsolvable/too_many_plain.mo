
model TooManyPlain
  local v, a
  der(v) = a
  a = -9.81
  a + 0.1*v = 0
end
