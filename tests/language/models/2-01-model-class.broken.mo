model class Capacitor
  cut A (Va / i), B (Vb / -i)
  parameter C (unit="F", min=0) = 1e-6
  C*der(u) = i
end Capacitor
model M
  submodel (Capacitor) c(C=-1)
end
