model Valve "Two equations say that p is zero"
  local p, q, y (start=1), opening (start=0)
  p + q = 2
  p - q = -2
  der(y) = -y
  when y < 0.5 then
    new(opening) = 1/p
  endwhen
end
