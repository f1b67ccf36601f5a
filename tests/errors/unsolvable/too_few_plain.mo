
model TooFewPlain
  local x, y, z
  x + y = 1
  y = 2*z
end
