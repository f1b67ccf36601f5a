model M
  parameter T (unit="s") = 0.1, level (unit="m") = 2, mass (unit="kg") = 1
  local h (unit="m"), v (unit="m/s"), n (unit="m", start=0), late, flow (unit="kg")
  der(h) = v
  der(v) = -9.81
  late = delay(h, level) + v
  flow = interp1(h, [0, 1], [0*mass, mass]) + interp1(mass, [0*level, level], [0, 1])
  when h < v then
    init(v) = h
    new(n) = new(n) + v
  elsewhen sample(0, mass) then
    new(n) = v
  endwhen
  assert h > mass, "units"
  initial
    h = v
  endinitial
end
