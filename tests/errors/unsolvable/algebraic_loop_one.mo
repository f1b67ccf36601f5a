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
  y = u1 + u2
end

model class Source
  main cut out (y)
  y = sin(time)
end


model AlgebraicLoopOne
  submodel (Source) s
  submodel (Gain) g(k = 1)
  submodel (Sum) d
  connect s at d:in1, d:out at g:in, g:out at d:in2
end
