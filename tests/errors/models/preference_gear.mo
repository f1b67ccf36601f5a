model class Inertia
  main cut flange (phi / tau)
  parameter J = 1
  local w (state=always)
  w = der(phi)
  J*der(w) = tau + sin(time)
end

model class Gear
  cut a (phi / t1), b (psi / t2)
  main cut ends [a, b]
  parameter ratio = 3
  phi = ratio*psi
  t2 = -ratio*t1
end

model Train
  submodel (Inertia) motor, load(J=2)
  submodel (Gear) gear
  connect motor at gear:a, load at gear:b
end
