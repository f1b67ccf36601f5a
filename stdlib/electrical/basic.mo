{ Further basic components, besides resistor, capacitor and inductor. }

@electrical

model class (TwoPin) Conductor "ideal conductor: i = G*u"
  parameter G (unit="S") "conductance"
  i = G*u + white_noise(thermal_current(G, 300.15))
end

model class (TwoPin) VariableResistor "resistor whose R is set from outside: u = R*i"
  terminal R (unit="Ohm") "resistance"
  u = R*i + white_noise(thermal_noise(R, 300.15))
end

model class (TwoPin) VariableConductor "conductor whose G is set from outside: i = G*u"
  terminal G (unit="S") "conductance"
  i = G*u + white_noise(thermal_current(G, 300.15))
end

model class (TwoPin) VariableCapacitor "capacitor whose C is set from outside: i = der(C*u)"
  terminal C (unit="F") "capacitance"
  parameter Q0 (unit="C") = 0 "charge at the start"
  local Q (unit="C", start=Q0) "charge"
  Q = C*u
  i = der(Q)
end

model class (TwoPin) VariableInductor "inductor whose L is set from outside: u = der(L*i)"
  terminal L (unit="H") "inductance"
  parameter Psi0 (unit="Wb") = 0 "flux linkage at the start"
  local Psi (unit="Wb", start=Psi0) "flux linkage"
  Psi = L*i
  u = der(Psi)
end

model class (TwoPin) Short "a connection without resistance: u = 0"
  u = 0
end

model class (TwoPin) Open "an open branch: i = 0"
  i = 0
end

model class (TwoPin) NonlinearResistor
    "Chua's diode: a piecewise linear resistor, whose slopes are negative in Chua's circuit"
  parameter Ga (unit="S") "slope between -Ve and Ve"
  parameter Gb (unit="S") "slope outside"
  parameter Ve (unit="V") "where the slope changes"
  i = if u < -Ve then Gb*(u + Ve) - Ga*Ve elseif u > Ve then Gb*(u - Ve) + Ga*Ve else Ga*u
end

{ --- saturation of iron --- }

function saturation_current(Inom, Lnom, Lzer, Linf) result Ipar
  { The current that scales the arctangent of SaturatingInductor: Lnom - Linf = (Lzer - Linf)*Ipar/Inom*atan(Inom/Ipar), by bisection. }
  local low, high
  low := 1e-9*Inom
  high := 1e9*Inom
  for k = 1..200 do
    Ipar := sqrt(low*high)
    if (Lzer - Linf)*Ipar/Inom*atan(Inom/Ipar) < Lnom - Linf then
      low := Ipar
    else
      high := Ipar
    endif
  endfor
end

model class (TwoPin) SaturatingInductor
    "inductor with a core that saturates: Psi = Linf*i + (Lzer - Linf)*Ipar*atan(i/Ipar), u = der(Psi)"
  parameter Inom (unit="A") = 1 "nominal current"
  parameter Lnom (unit="H") = 1 "inductance Psi/i at the nominal current"
  parameter Lzer (unit="H") = 2*Lnom "inductance near current zero, above Lnom"
  parameter Linf (unit="H") = Lnom/2 "inductance at large currents, below Lnom"
  parameter Psi0 (unit="Wb") = 0 "flux linkage at the start"
  parameter Ipar (unit="A") = saturation_current(Inom, Lnom, Lzer, Linf) "computed from the others"
  assert Lzer > Lnom and Lnom > Linf,
      "the inductance of a saturating inductor must fall: Lzer > Lnom > Linf"
  terminal Psi (unit="Wb", start=Psi0) "flux linkage"
  Psi = Linf*i + (Lzer - Linf)*Ipar*atan(i/Ipar)
  u = der(Psi)
end

{ --- two-ports --- }

model class TwoPort "component with two pairs of pins"
  cut (Pin) A1 (Va1 / i1), B1 (Vb1 / -i1), A2 (Va2 / i2), B2 (Vb2 / -i2)
  cut left [A1, B1], right [A2, B2]
  main cut W [A1, B1, A2, B2]
  main path P <left - right>
  terminal u1 (unit="V") "voltage from A1 to B1"
  terminal u2 (unit="V") "voltage from A2 to B2"
  u1 = Va1 - Vb1
  u2 = Va2 - Vb2
end

model class (TwoPort) IdealTransformer "u1 = n*u2, i2 = -n*i1, also for constant voltages"
  parameter n "turns ratio, left to right"
  u1 = n*u2
  i2 = -n*i1
end

model class (TwoPort) Transformer "two coupled inductors: u1 = L1*der(i1) + M*der(i2), u2 = M*der(i1) + L2*der(i2)"
  parameter L1 (unit="H"), L2 (unit="H") "inductances of the windings"
  parameter M (unit="H") "coupling inductance, |M| < sqrt(L1*L2)"
  u1 = L1*der(i1) + M*der(i2)
  u2 = M*der(i1) + L2*der(i2)
end

model class (TwoPort) Gyrator "i1 = G2*u2, i2 = -G1*u1"
  parameter G1 (unit="S"), G2 (unit="S") "gyration conductances"
  i1 = G2*u2
  i2 = -G1*u1
end

model class (TwoPort) VCV "voltage-controlled voltage source: u2 = k*u1"
  parameter k "gain"
  u2 = k*u1
  i1 = 0
end

model class (TwoPort) VCC "voltage-controlled current source: i2 = k*u1"
  parameter k (unit="S") "transconductance"
  i2 = k*u1
  i1 = 0
end

model class (TwoPort) CCV "current-controlled voltage source: u2 = k*i1"
  parameter k (unit="Ohm") "transresistance"
  u2 = k*i1
  u1 = 0
end

model class (TwoPort) CCC "current-controlled current source: i2 = k*i1"
  parameter k "gain"
  i2 = k*i1
  u1 = 0
end
