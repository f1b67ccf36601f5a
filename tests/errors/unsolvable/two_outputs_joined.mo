model class Gain
  cut in (u)
  cut out (y)
  main cut c [in, out]
  main path p <in - out>
  parameter k = 1
  y = k*u
end

model class Integrator
  cut in (u)
  cut out (y)
  main cut c [in, out]
  main path p <in - out>
  parameter y0 = 0
  local x (start=y0)
  der(x) = u
  y = x
end

model class Sum
  cut in1 (u1), in2 (u2)
  cut out (y)
  main cut c [in1, in2, out]
  y = u1 - u2
end

model class Source
  main cut out (y)
  parameter phi = 0
  y = sin(time + phi)
end


model TwoOutputsJoined
  submodel (Source) s1, s2(phi = 2)
  submodel (Gain) g(k = 2)
  submodel (Integrator) i
  connect s1 to g to i, s2 at g:in
end
