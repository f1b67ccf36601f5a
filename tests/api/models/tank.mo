{ A tank into which flows what is given from outside; and a model whose solution ends early. }

model class Tank
  parameter k, gain
  terminal q, h (start=2)
  der(h) = gain*q - k*h
end

model Single
  submodel (Tank) t(k = 0.5, gain = 1)
  input q
  local twice
  t.q = q
  twice = 2*t.h
end

model Blowup "ends at time 1: x = 1/(1 - time)"
  local x (start=1), y
  der(x) = x*x
  y = 2 - x
end
