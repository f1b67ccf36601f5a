model class Ctl
  parameter k
  input u
  output y
  y = k*u
end

model M
  submodel (Ctl) c(kp = 1)
  c.u = time
end
