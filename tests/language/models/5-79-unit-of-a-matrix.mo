model Slots
  parameter r(3)(unit="m", display="mm") = [10, -20, 0.3] mm,
            A(2,2)(unit="rad") = [30, 60; 90, 120] deg
  parameter T(2)(unit="K") = [20, -20] degC
  local x(3)(unit="m"), v(3)(unit="m/s"), y(2)
  x = r + [1, 2, 3] cm
  v = 2*([36, 72, 108] km/h)
  y = sin([30, 90] deg) .* [10, 20] %
end
