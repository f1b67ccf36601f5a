model Not
  local (Boolean) a, b
  local x
  x = 2
  a = not x
  b = not [a, a]
end
