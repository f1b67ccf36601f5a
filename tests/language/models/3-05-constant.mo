model class Sized
  constant n = 2, m = n + 1, v(n) = [n, m]
  local x(m)
  x(1..n) = v*time
  x(m) = 1
end
model Constants
  constant pi (unit="rad") = 3.141592653589793
  submodel (Sized) s(2)
  local y
  y = sin(pi/2)
end
