model Texts
  local x, y, z
  x = "two"
  y = 1 + "3"
  if x == "a" then
    z = 1
  endif
end
