{ The bipolar transistor of SPICE, without high-current effects. Nagel: SPICE2: A Computer Program to Simulate Semiconductor
  Circuits, 1975; parameters have their names in SPICE. Exponentials continue as lines beyond the argument 40. }

@electrical

function depletion_capacitance(v, C0, VJ, M, FC) result C
  { C0/(1 - v/VJ)^M up to v = FC*VJ, and its tangent beyond. }
  C := if v < FC*VJ then C0/(1 - v/VJ)^M else C0/(1 - FC)^(1 + M)*(1 - FC*(1 + M) + M*v/VJ)
end

function junction_slope(x, high) result y
  { The derivative of limited_exp. }
  y := if x > high then exp(high) else exp(x)
end

model class SpiceBipolar "common part of both kinds; inside, voltages and currents are those of an NPN"
  parameter BF = 100, BR = 1 "forward and reverse gain"
  parameter IS (unit="A") = 1e-16 "transport saturation current"
  parameter NF = 1, NR = 1 "emission coefficients"
  parameter IVAF (unit="1/V") = 0,
            IVAR (unit="1/V") = 0 "inverse Early voltages, forward and reverse: 1/VAF, 1/VAR"
  parameter RB (unit="Ohm") = 0, RC (unit="Ohm") = 0,
            RE (unit="Ohm") = 0 "resistances at base, collector and emitter"
  parameter CJE (unit="F") = 0, VJE (unit="V") = 0.75,
            MJE = 0.33 "depletion capacitance, base to emitter"
  parameter CJC (unit="F") = 0, VJC (unit="V") = 0.75,
            MJC = 0.33 "depletion capacitance, base to collector"
  parameter TF (unit="s") = 0, TR (unit="s") = 0 "forward and reverse transit time"
  parameter FC = 0.5 "fraction of the potentials beyond which depletion capacitances continue as lines"
  parameter Vt (unit="V") = 0.025864186 "thermal voltage, here at 300.15 K"
  parameter gmin (unit="S") = 1e-12 "leakage of the junctions"
  cut (Pin) C (Vc / Ic), B (Vb / Ib), E (Ve / Ie)
  main cut W [C, B, E]
  terminal vbe (unit="V", start=0), vbc (unit="V", start=0) "voltages of the inner junctions"
  local ic (unit="A"), ib (unit="A") "currents into collector and base"
  local vc (unit="V"), vb (unit="V"), ve (unit="V") "potentials inside, of the pins of an NPN"
  local e (unit="1"), ibe (unit="A"), ibc (unit="A"), gbe (unit="S"), gbc (unit="S"),
        iqe (unit="A"), iqc (unit="A")
  e = 1 - vbc*IVAF - vbe*IVAR
  ibe = IS*smooth(limited_exp(vbe/(NF*Vt), 40) - 1) + gmin*vbe
  ibc = IS*smooth(limited_exp(vbc/(NR*Vt), 40) - 1) + gmin*vbc
  gbe = IS/(NF*Vt)*smooth(junction_slope(vbe/(NF*Vt), 40)) + gmin
  gbc = IS/(NR*Vt)*smooth(junction_slope(vbc/(NR*Vt), 40)) + gmin
  { the charges of the junctions: TF*ibe*e and TR*ibc, and those of the depletion capacitances }
  iqe = (TF*(gbe*e - ibe*IVAR) + smooth(depletion_capacitance(vbe, CJE, VJE, MJE, FC)))*der(vbe) -
        TF*ibe*IVAF*der(vbc)
  iqc = (TR*gbc + smooth(depletion_capacitance(vbc, CJC, VJC, MJC, FC)))*der(vbc)
  ic = (ibe - ibc)*e - ibc/BR - iqc
  ib = ibe/BF + ibc/BR + iqe + iqc
  vbe = vb - ve
  vbc = vb - vc
end

model class (SpiceBipolar) SpiceNPN "the base takes current in"
  Ic = ic
  Ib = ib
  Ie = -ic - ib
  vc = Vc - RC*ic
  vb = Vb - RB*ib
  ve = Ve + RE*(ic + ib)
end

model class (SpiceBipolar) SpicePNP "the base delivers current"
  Ic = -ic
  Ib = -ib
  Ie = ic + ib
  vc = -Vc - RC*ic
  vb = -Vb - RB*ib
  ve = -Ve + RE*(ic + ib)
end
