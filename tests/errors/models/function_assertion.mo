function area(r) result a
  assert r >= 0, "a radius is not negative"
  a := 3.14159*r^2
end

function twice_area(r) result a
  a := 2*area(r)
end

model M
  parameter r = -1
  constant k = twice_area(-2)
  local a
  a = area(-1)
end
