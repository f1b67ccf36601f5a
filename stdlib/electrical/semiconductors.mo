{ Diodes and transistors with exponential characteristics. Exponentials continue along their tangents beyond an argument, to avoid
  overflow. Shockley's diode; Ebers, Moll; Gummel, Poon with the parameters of SPICE; Shichman, Hodges. }

@electrical

function limited_exp(x, high) result y
  { exp(x) up to high, and its tangent beyond. }
  y := if x > high then exp(high)*(1 + x - high) else exp(x)
end

function junction_exp(x, low, high) result y
  { exp(x) between low and high, its tangents beyond. }
  y := if x < low then exp(low)*(x - low + 1) elseif x > high then exp(high)*(x - high + 1)
       else exp(x)
end

{ --- diodes --- }

model class (TwoPin) Diode "i = Is*(exp(u/Vt) - 1) + u/R, conducting from A to B"
  parameter Is (unit="A") = 1e-6 "saturation current"
  parameter Vt (unit="V") = 0.04 "thermal voltage, times the emission coefficient"
  parameter most = 15 "argument beyond which the exponential continues as a line"
  parameter R (unit="Ohm") = 1e8 "parallel resistance"
  i = smooth(Is*(limited_exp(u/Vt, most) - 1) + u/R) + white_noise(shot_noise(i))
end

model class (TwoPin) ZDiode "diode with breakdown at the voltage -Vz"
  parameter Is (unit="A") = 1e-6 "saturation current"
  parameter Vt (unit="V") = 0.04 "thermal voltage, times the emission coefficient"
  parameter most = 30 "argument beyond which the exponentials continue as lines"
  parameter R (unit="Ohm") = 1e8 "parallel resistance"
  parameter Vz (unit="V") = 5.1 "breakdown voltage"
  parameter Iz (unit="A") = 0.7 "current at breakdown"
  parameter Nz = 0.74 "emission coefficient at breakdown"
  i = smooth(Is*(limited_exp(u/Vt, most) - 1) - Iz*limited_exp(-(u + Vz)/(Nz*Vt), most) + u/R) +
      white_noise(shot_noise(i))
end

{ --- bipolar transistors; at (collector, base, emitter) --- }

model class Bipolar "common part of bipolar transistors; vbc and vbe are the voltages of their junctions"
  parameter Bf = 50, Br = 0.1 "forward and reverse gain"
  parameter Is (unit="A") = 1e-16 "transport saturation current"
  parameter Vak (unit="1/V") = 0.02 "inverse of the Early voltage"
  parameter Tauf (unit="s") = 1.2e-10, Taur (unit="s") = 5e-9 "forward and reverse transit time"
  parameter Ccs (unit="F") = 1e-12 "capacitance of the collector to the substrate, which is at potential zero"
  parameter Cje (unit="F") = 4e-13,
            Cjc (unit="F") = 5e-13 "capacitances of the junctions at voltage zero"
  parameter Phie (unit="V") = 0.8,
            Me = 0.4 "built-in potential and grading coefficient, base to emitter"
  parameter Phic (unit="V") = 0.8,
            Mc = 0.333 "built-in potential and grading coefficient, base to collector"
  parameter Gbc (unit="S") = 1e-15, Gbe (unit="S") = 1e-15 "leakage of the junctions"
  parameter Vt (unit="V") = 0.02585 "thermal voltage"
  parameter low = -100, high = 40 "arguments beyond which exponentials continue as lines"
  cut (Pin) C (Vc / ic), B (Vb / ib), E (Ve / ie)
  main cut W [C, B, E]
  local vbc (unit="V"), vbe (unit="V"),
        q (unit="1") "voltages of the junctions, and the current with the Early effect"
  local ibc (unit="A"), ibe (unit="A"), cbc (unit="F"),
        cbe (unit="F") "currents and capacitances of the junctions"
  q = 1 - vbc*Vak
  ibc = smooth(Is*(junction_exp(vbc/Vt, low, high) - 1) + vbc*Gbc)
  ibe = smooth(Is*(junction_exp(vbe/Vt, low, high) - 1) + vbe*Gbe)
  cbc = smooth(Taur*Is/Vt*junction_exp(vbc/Vt, low, high) +
               (if vbc > 0 then Cjc*(1 + Mc*vbc/Phic) else Cjc/(1 - vbc/Phic)^Mc))
  cbe = smooth(Tauf*Is/Vt*junction_exp(vbe/Vt, low, high) +
               (if vbe > 0 then Cje*(1 + Me*vbe/Phie) else Cje/(1 - vbe/Phie)^Me))
end

model class (Bipolar) NPN "bipolar transistor: the base takes current in"
  vbc = Vb - Vc
  vbe = Vb - Ve
  ic = (ibe - ibc)*q - ibc/Br - cbc*der(vbc) + Ccs*der(Vc) +
       white_noise(shot_noise((ibe - ibc)*q - ibc/Br))
  ib = ibe/Bf + ibc/Br + cbc*der(vbc) + cbe*der(vbe) + white_noise(shot_noise(ibe/Bf + ibc/Br))
  ie = -ib - ic + Ccs*der(Vc)
end

model class (Bipolar) PNP "bipolar transistor: the base delivers current"
  vbc = Vc - Vb
  vbe = Ve - Vb
  ic = -((ibe - ibc)*q - ibc/Br - cbc*der(vbc)) + Ccs*der(Vc) +
       white_noise(shot_noise((ibe - ibc)*q - ibc/Br))
  ib = -(ibe/Bf + ibc/Br + cbc*der(vbc) + cbe*der(vbe)) +
       white_noise(shot_noise(ibe/Bf + ibc/Br))
  ie = -ib - ic + Ccs*der(Vc)
end

{ --- field effect transistors; at (drain, gate, source, bulk) --- }

model class Mos "common part of MOS transistors"
  parameter W (unit="m") = 2e-5, L (unit="m") = 6e-6 "width and length"
  parameter Beta (unit="A/V2") "transconductance"
  parameter Vt (unit="V") "threshold voltage without bias"
  parameter K2 (unit="1"), K5 (unit="1") "bulk threshold and reduction of the pinch-off region"
  parameter dW (unit="m") = -2.5e-6, dL (unit="m") "by how much the channel is wider and longer"
  parameter RDS (unit="Ohm") = 1e7 "resistance from drain to source"
  cut (Pin) D (Vd / id), G (Vg / ig), S (Vs / -id), B (Vb / ib)
  main cut M [D, G, S, B]
  local v (unit="A/V2"), ud (unit="V"), us (unit="V"), uds (unit="V"), ubs (unit="V"),
        ugst (unit="V"), i (unit="A")
  ig = 0
  ib = 0
  v = Beta*(W + dW)/(L + dL)
  uds = ud - us
  ugst = (Vg - us - Vt + K2*ubs)*K5
end

model class (Mos) NMOS "n-channel: conducts where the gate is above the source by more than Vt"
  parameter Beta = 4.1e-5, Vt = 0.8, K2 = 1.144, K5 = 0.7311, dL = -1.5e-6
  ud = smooth(if Vd < Vs then Vs else Vd)
  us = smooth(if Vd < Vs then Vd else Vs)
  ubs = smooth(if Vb > us then 0 else Vb - us)
  i = smooth(if ugst <= 0 then 0 elseif ugst > uds then v*uds*(ugst - uds/2) else v*ugst^2/2) +
      uds/RDS
  id = smooth(if Vd < Vs then -i else i)
end

model class (Mos) PMOS "p-channel: conducts where the gate is below the source by more than -Vt"
  parameter Beta = 1.05e-5, Vt = -1, K2 = 0.41, K5 = 0.839, dL = -2.1e-6
  ud = smooth(if Vd > Vs then Vs else Vd)
  us = smooth(if Vd > Vs then Vd else Vs)
  ubs = smooth(if Vb < us then 0 else Vb - us)
  i = smooth(if ugst >= 0 then 0 elseif ugst < uds then -v*uds*(ugst - uds/2) else -v*ugst^2/2) +
      uds/RDS
  id = smooth(if Vd > Vs then -i else i)
end
