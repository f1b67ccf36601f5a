function kinetic(m (unit="kg"), v (unit="m/s")) result E
  E := m*v^2/2
end

function wrong(a (unit="m"), b (unit="s")) result c (unit="m/s")
  local t
  t := a + b
  c := a*b
end

model M
  local E (unit="J"), P (unit="W"), x (unit="m", start=1)
  parameter m (unit="kg") = 2, k (unit="1/s") = 0.5
  der(x) = k*x
  E = kinetic(m, der(x))
  P = kinetic(m, x)
end
