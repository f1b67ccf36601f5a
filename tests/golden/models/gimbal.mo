{ vectors, matrices, a symmetric one, inheritance, a cut without body }
model class Frame
  cut a (w(2) / J(2,2)(symmetric))
  main cut c [a]
end

model class (Frame) Rotor
  parameter J1 = 2, J2 = 1
  J = [J1, 0; 0, J2]
end

model class (Frame) Shaft
  local q (start=0.1), T(2,2)
  local M(2,2)(symmetric)
  terminal speed
  T = [cos(q), sin(q); -sin(q), cos(q)]
  w = [speed, 0.5]
  M = -T'*J*T
  speed = der(q)
  M(1,1)*der(speed) = sin(q) - sum(w) + norm(w)
end

model class Holder
  submodel (Shaft) s
  submodel (Rotor) r
  cut out
  main cut c [out]
  connect r at out, s at out
end

model Gimbal
  submodel (Holder) h
  cut boundary (x(2) / N(2,2)(symmetric))
  connect h at boundary
end
