model class Shaft
  parameter c (unit="Nm/rad") = 100, d (unit="N.m.s/radian") = 1
  terminal w (unit="hz"), T (unit="kilopond")
  T = c*d
  w = 1
end

model M
  submodel (Shaft) s
end
