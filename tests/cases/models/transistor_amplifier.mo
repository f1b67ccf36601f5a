{ Amplifier of two transistors. Hairer, Lubich, Roche: The Numerical Solution of Differential-Algebraic Systems by Runge-Kutta Methods.
  The transistors have a linear capacity each; the voltages of the five capacitors are the states. }

model TransistorAmplifier
  constant pi = 3.14159265358979323846
  parameter Ub (unit="V") = 6, UF (unit="V") = 0.026, alpha = 0.99, beta (unit="A") = 1e-6
  parameter R0 (unit="Ohm") = 1000, R (unit="Ohm") = 9000
  parameter C1 (unit="F") = 1e-6, C2 (unit="F") = 2e-6, C3 (unit="F") = 3e-6, C4 (unit="F") = 4e-6,
            C5 (unit="F") = 5e-6
  local Ue (unit="V") "signal"
  local y(8)(unit="V") "potentials"
  local u1 (unit="V", start=-Ub/2), u2 (unit="V", start=Ub/2), u3 (unit="V", start=Ub/2),
        u4 (unit="V", start=Ub/2),
        u5 (unit="V", start=Ub) "voltages of the capacitors"
  local i1 (unit="A"), i3 (unit="A"),
        i5 (unit="A") "currents into the capacitors between two potentials"
  local g1 (unit="A"), g2 (unit="A") "currents of the transistors"
  Ue = 0.1*sin(200*pi*time)
  u1 = y(1) - y(2)
  u2 = y(3)
  u3 = y(4) - y(5)
  u4 = y(6)
  u5 = y(7) - y(8)
  g1 = beta*(exp((y(2) - y(3))/UF) - 1)
  g2 = beta*(exp((y(5) - y(6))/UF) - 1)
  C1*der(u1) = i1
  C3*der(u3) = i3
  C5*der(u5) = i5
  i1 = (Ue - y(1))/R0
  -i1 = Ub/R - 2*y(2)/R - (1 - alpha)*g1
  C2*der(u2) = g1 - y(3)/R
  i3 = (Ub - y(4))/R - alpha*g1
  -i3 = Ub/R - 2*y(5)/R - (1 - alpha)*g2
  C4*der(u4) = g2 - y(6)/R
  i5 = (Ub - y(7))/R - alpha*g2
  -i5 = -y(8)/R
end
