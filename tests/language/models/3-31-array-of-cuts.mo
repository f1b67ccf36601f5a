cut class Pin (V(unit="V") / i(unit="A"))

model class Source "of n voltages against a neutral point"
  parameter n = 3, U(n)(unit="V") = [1, 2, 3]
  cut (Pin) p(n) (V / i), neutral (V0 / i0)
  main cut C [p(1..n), neutral]
  V = U + V0*ones(n)
  i0 = -sum(i)
end

model class Line "of n wires"
  parameter n = 3, R (unit="Ohm") = 1
  cut (Pin) a(n) (Va / i), b(n) (Vb / -i)
  main path P <a - b>
  Va - Vb = R*i
end

model class Star "loads that hand their pins on"
  parameter n = 3
  main cut (Pin) p(n) ()
  cut (Pin) neutral
  submodel (Line) load(n)(n=1)
  connect load(:):a to p(:), load(:):b at neutral
end

model class Ground
  main cut (Pin) A (V / i)
  V = 0
end

model Phases
  constant n = 3
  submodel (Source) s(2)
  submodel (Line) whole, lines(2)(n=[2, 1])
  submodel (Star) star
  submodel (Ground) g
  node m(n), z
  connect s(1):p to whole to star, s(1):neutral to g, star:neutral to g
  connect s(2) at (m, z), z to g, m(1..2) to lines(1):a(:), m(3) to lines(2):a(1)
  connect lines(k):b(:) to g for k = 1..2
end
