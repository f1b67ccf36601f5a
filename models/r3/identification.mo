{ The robot of r3.mo with sensors whose measured values have noise: data from which its parameters can be identified. }

@r3
@blocks
@noise

model (Robot) MeasuredR3 "the currents of the motors are measured every 10 ms"
  internal seed = 1
  parameter sigma (unit="A") = 0.1 "standard deviation of a measured current"
  submodel (AddedNoise) current(6)(T=10 ms, sigma=sigma)
  current.u = [m1.La.i, m2.La.i, m3.La.i, m4.La.i, m5.La.i, m6.La.i]
  experiment (stop=1.86)
end
