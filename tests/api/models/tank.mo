{ Two tanks, one behind the other; what flows in is given from outside. }

model class Tank
  cut inlet (/ q), outlet (h /)
  parameter A = 2, k = 1
  local h (start=3)
  A*der(h) = q - k*h
end

model Single
  parameter k = 0.5, gain = 1
  input q
  local h (start=2), twice
  der(h) = gain*q - k*h
  twice = 2*h
end

model Blowup "ends at time 1: x = 1/(1 - time)"
  local x (start=1), y
  der(x) = x*x
  y = sqrt(3 - x)
end
