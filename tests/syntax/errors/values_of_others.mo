@electrical

model Values
  submodel (Capacitor) C(C=10u), D(C=2.5e3nF)
  submodel (Resistor) R(R=4.7k)
  submodel (Capacitor) E(C=1e-6, v(start=2))
  submodel (Capacitor) F(C=1e-6, v(unit="V"))
  parameter L = 3m
  parameter M = 10e-m, N = 2e
  parameter O = 1Meg
  parameter V = 5V
  parameter T = 20 msec
  parameter q := 3
  local p = 3 [bar]
  SI.Mass m = 1
  Modelica.Units.SI.Voltage v
  parameter SI.Length l = 2
  parameter SI.Mode mode = 2
  Modelica.Electrical.Resistor r
  local x(2)
  p = 3 [bar]
  x = {1,2}*3
  x = {1,2}'
end
