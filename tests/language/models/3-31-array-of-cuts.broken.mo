cut class Pin (V(unit="V") / i(unit="A"))

model class Line
  parameter n = 3
  cut (Pin) a(n) (Va / i), b(n) (Vb / -i)
  main path P <a - b>
  terminal u(2)(unit="V")
  cut c(n) (u / j(unit="A")), d(n - 3)
  cut (Pin) e(n)
  Va - Vb = i*(1 Ohm)
end

model Phases
  submodel (Line) one, two(n=2)
  connect one to two, one:b(4) to two:a(1), one:a(1..3) to two:a(:), one:b to two:a(1), one:b(1, 2) to two:b(time)
end
