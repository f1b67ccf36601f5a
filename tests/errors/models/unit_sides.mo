model class Coil
  parameter L (unit="H"), R (unit="Ohm")
  local u, i (unit="A"), flux (unit="Wb"), v(2) (unit="m/s"), r (unit="m")
  flux = L*i
  u = flux
  u = R*i
  v = [der(r), r]
  r = 1
end

model M
  submodel (Coil) a(L = 1, R = 2), b(L = 1, R = 2)
end
