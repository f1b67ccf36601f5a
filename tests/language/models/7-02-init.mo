model class Capacitor
  parameter C = 1e-3, charge = 0.01
  local u
  C*der(u) = -u
  init(u) = charge/C
end
model Discharge
  submodel (Capacitor) a, b(charge = 0)
  local x(2)
  der(x) = -x
  init(x) = [3, 4]
end
