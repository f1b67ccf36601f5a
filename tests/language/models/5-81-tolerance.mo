model class Spring
  parameter c (unit="N/m") = 100 +- 5, d (unit="N.s/m") = 1
  terminal x (unit="m")
  local f (unit="N")
  f = c*x + d*der(x)
end

model Scale
  parameter cn = 200 N/m, r(2)(unit="m") = [10, 20] mm +- 0.1 mm, k = 2 +- 1 %
  parameter T = 20 degC +- 5 K
  submodel (Spring) a(c=cn +- 10 %), b, s(2)(c=[1, 2] kN/m +- 1 %, d=0 N.s/m +- 0.1 N.s/m)
  local x (unit="m", start=0.1), y
  der(x) = -x/(1 s) + 0*(T - T)/(1 K.s/m)
  y = k +- 1
  a.x = x; b.x = x + r(1)
  s(1).x = x; s(2).x = x
end
