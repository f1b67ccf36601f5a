model class SampledPI "proportional and integral, computed at instants of sampling and held between them"
  parameter k = 2, Ti (unit="s") = 0.5, T (unit="s") = 0.1
  input e
  output u
  local I (start=0)
  when sample(0, T) then
    new(I) = I + k*T/Ti*e
    new(u) = k*e + new(I)
  endwhen
end

model Loop "a plant of first order with a sampled controller"
  submodel (SampledPI) control(k = 3)
  local y (start=0), reference
  reference = 1
  control.e = reference - y
  0.7*der(y) + y = control.u
end
