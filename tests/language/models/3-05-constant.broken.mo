model class Sized
  constant n = 2
  local x(n)
  x = ones(n)
end
model Constants
  parameter p = 3
  constant a, b = p, c = 2*time, d = d
  submodel (Sized) s(n = 3)
end
