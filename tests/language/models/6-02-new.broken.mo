model class Toggle
  output n
  when time > 1 then
    new(n) = 1
  endwhen
end
model Toggles
  submodel (Toggle) t
  local x, y, z
  x = new(x)
  y = time
  when time > 2 then
    new(y) = 3
    new(t.n) = 2
    new(z + 1) = 2
  endwhen
  der(z) = 1
end
