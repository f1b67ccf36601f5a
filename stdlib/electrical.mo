{ Electrical components. The current of a cut is positive into the component. }

cut class Pin (V(unit="V") / i(unit="A")) "potential, and current into the component"

model class TwoPin "component with two pins; the current i flows through it from A to B"
  cut (Pin) A (Va / i), B (Vb / -i)
  main cut W [A, B]
  main path P <A - B>
  terminal u (unit="V") "voltage from A to B"
  u = Va - Vb
end

model class (TwoPin) Resistor "ideal resistor"
  parameter R (unit="Ohm") "resistance"
  R*i = u + white_noise(4*(1.380649e-23 J/K)*(300.15 K)*R)
end

model class Capacitor "ideal capacitor"
  cut (Pin) A (Va / i), B (Vb / -i)
  main cut W [A, B]
  main path P <A - B>
  parameter C (unit="F", min=0) "capacitance"
  parameter u0 (unit="V") = 0 "voltage at the start"
  local u (unit="V", start=u0) "voltage from A to B"
  u = Va - Vb
  C*der(u) = i
end

model class Inductor "ideal inductor"
  cut (Pin) A (Va / i(start=i0)), B (Vb / -i)
  main cut W [A, B]
  main path P <A - B>
  parameter L (unit="H") "inductance"
  parameter i0 (unit="A") = 0 "current at the start"
  local u (unit="V") "voltage from A to B"
  u = Va - Vb
  L*der(i) = u
end

model class Ground "potential zero"
  main cut (Pin) A (V / i)
  V = 0
end

{ --- voltage sources: A is the positive pin --- }

model class (TwoPin) VSource "voltage source whose terminal u is set from outside"
end

model class (VoltageSource) VConst "constant voltage, an ideal battery"
  parameter V (unit="V") "voltage"
  u = V + small_signal(ac)
end

model class (VoltageSource) VStep "voltage that jumps from V0 to V at time t0"
  parameter V0 (unit="V") = 0 "voltage before t0"
  parameter V (unit="V") "voltage from t0 on"
  parameter t0 (unit="s") = 0 "time of the jump"
  u = (if time < t0 then V0 else V) + small_signal(ac)
end

model class (VoltageSource) VSine "sinusoidal voltage"
  constant pi (unit="1") = 3.14159265358979323846
  parameter V0 (unit="V") = 0 "mean value"
  parameter V (unit="V") "amplitude"
  parameter f (unit="Hz") "frequency"
  parameter phi (unit="rad") = 0 "phase at time 0"
  u = V0 + small_signal(ac) + V*sin(2*pi*f*time + phi)
end

{ --- current sources: the current flows through them from A to B --- }

model class (TwoPin) ISource "current source whose current i is set from outside"
end

model class (CurrentSource) IConst "constant current"
  parameter I (unit="A") "current"
  i = I + small_signal(ac)
end

model class (CurrentSource) IStep "current that jumps from I0 to I at time t0"
  parameter I0 (unit="A") = 0 "current before t0"
  parameter I (unit="A") "current from t0 on"
  parameter t0 (unit="s") = 0 "time of the jump"
  i = (if time < t0 then I0 else I) + small_signal(ac)
end

{ --- parts of the motors of Otter, Elmqvist and Cellier, figure 3 --- }

model class OpAmpIdeal "ideal operational amplifier; at (non-inverting, inverting, output)"
  cut (Pin) P (V1 / i1), N (V2 / i2), O (V3 / i3)
  main cut W [P, N, O]
  V1 = V2
  i1 = 0
  i2 = 0
end

model class (TwoPin) Emf "electromotive force: converts u*i into the power of a shaft without loss"
  cut mech (q(unit="rad"), qd(unit="rad/s"), qdd(unit="rad/s2") / f(unit="N.m")) "shaft; f is positive into the Emf"
  parameter k (unit="V.s/rad") "u = k*qd and torque k*i"
  u = k*qd
  f = -k*i
end

model class (TwoPin) Hall "ideal current sensor: the potential at m is k times the current"
  cut (Pin) m (Vm / im)
  parameter k (unit="Ohm") = 1 "gain"
  u = 0
  Vm = k*i
end

{ --- small signals and noise, for linear models --- }

model class (TwoPin) VoltageSource "a voltage over time; in a linear model with a small signal"
  parameter ac (unit="V") = 0 "amplitude of the small signal"
end

model class (TwoPin) CurrentSource "a current over time; in a linear model with a small signal"
  parameter ac (unit="A") = 0 "amplitude of the small signal"
end

function thermal_noise(R(unit="Ohm"), T(unit="K")) result S(unit="V2.s")
    "density of the voltage of a resistor, in V2/Hz"
  constant k (unit="J/K") = 1.380649e-23
  S := 4*k*T*R
end

function thermal_current(G(unit="S"), T(unit="K")) result S(unit="A2.s")
    "density of the current of a conductor, in A2/Hz"
  constant k (unit="J/K") = 1.380649e-23
  S := 4*k*T*G
end

function shot_noise(i(unit="A")) result S(unit="A2.s") "density of the current through a junction, in A2/Hz"
  constant q_e (unit="C") = 1.602176634e-19
  S := 2*q_e*noevent(abs(i))
end

{ --- more components, in files by subject --- }

@"electrical/basic"
@"electrical/sources"
@"electrical/ideal"
@"electrical/semiconductors"
@"electrical/sensors"
@"electrical/machines"
