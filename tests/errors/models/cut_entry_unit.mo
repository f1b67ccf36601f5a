cut class Flange (s(unit="m") / f(unit="N"))

model class Spring
  parameter c (unit="N/m") = 1
  cut (Flange) A (fa / s), B (s / fb)
  main cut W [A, B]
  fa = c*s
end

model M
  submodel (Spring) x
end
