@electrical

type Law = (Linear, Square, Open)

model class (TwoPin) Element
  parameter (Law) law = Law.Linear
  parameter R (unit="Ohm") = 100, I (unit="A") = 1
  if law == Law.Linear then
    R*i = u
  elseif law == Law.Square then
    R*i*abs(i) = u*I
  endif
end

model M
  submodel (VStep) V(V=10, t0=0.1)
  submodel (Resistor) R(R=1000)
  submodel (Element) e1, e2(law=Law.Open), e(9)(law=Law.Open)
  submodel (Ground) g
  node n0, n1
  connect V at (n1, n0), g at n0, n1 to R to e1 to e2 to n0
  connect e(k) at (n1, n0) for k = 1..9
end
