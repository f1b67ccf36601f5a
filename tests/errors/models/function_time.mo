function ramp(x) result y
  y := x*time + der(x)
  terminate y > 10, "far enough"
end

model M
  local a
  a = ramp(2)
end
