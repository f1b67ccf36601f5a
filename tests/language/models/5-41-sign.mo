model Sign
  local (Integer) x
  local k, y
  x = sign(time - 1)
  k = sign(-3) + 10*sign(0) + sign(2)
  y = 2*sign(time)
end
