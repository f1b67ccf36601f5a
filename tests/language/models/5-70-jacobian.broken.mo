model Jacobians
  parameter p = 2
  local q(2), x, A(2,2), e
  local phi (unit="rad"), v (unit="rad")
  parameter s (unit="m") = 3
  q = [time, 1]
  x = jacobian(sin(q(1)*time), q(1))
  A = jacobian([q, q], q)
  e = jacobian(p*q(1), p)
  phi = v*1
  v = jacobian(s*phi, phi)
end
