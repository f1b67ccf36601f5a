{ The devices of SPICE; their parameters have the names of its cards. Nagel: SPICE2: A Computer Program to Simulate Semiconductor
  Circuits, 1975; Massobrio, Antognetti: Semiconductor Device Modeling with SPICE, 1993.

  A parameter that is infinite by default on the card, such as VAF, is 0 here if it does not count. Exponentials continue as lines beyond the
  argument at which the current is 10 kA. `temp` is the temperature of a device in K, at which its parameters differ from those at TNOM. }

@electrical

{ --- junctions, and the diode --- }

function thermal_voltage(T(unit="K")) result Vt(unit="V")
  { k*T/q; both constants are exact in the SI. }
  constant k_q (unit="V/K") = 8.617333262145e-5
  Vt := k_q*T
end

function band_gap(T(unit="K")) result V(unit="V")
  { Of silicon. }
  constant Eg (unit="V") = 1.16, slope (unit="V/K") = 7.02e-4, T1 (unit="K") = 1108
  V := Eg - slope*T^2/(T + T1)
end

function potential_shift(T(unit="K")) result V(unit="V")
  { What a built-in potential at T has besides its part in proportion to T; zero at 300.15 K. }
  constant T0 (unit="K") = 300.15
  V := band_gap(T) - band_gap(T0)*T/T0 - 3*thermal_voltage(T)*log(T/T0)
end

function junction_potential(VJ(unit="V"), T(unit="K"), TNOM(unit="K")) result V(unit="V")
  { The built-in potential at T of a junction that has VJ at TNOM. }
  V := potential_shift(T) + T/TNOM*(VJ - potential_shift(TNOM))
end

function capacitance_factor(VJ(unit="V"), M, T(unit="K"), TNOM(unit="K")) result k
  { The depletion capacitance at T over that at TNOM. }
  constant T0 (unit="K") = 300.15, slope (unit="1/K") = 4e-4
  local V0 (unit="V")
  V0 := junction_potential(VJ, T0, TNOM)
  k := (1 + M*(slope*(T - T0) - (junction_potential(VJ, T, TNOM) - V0)/V0))/
       (1 + M*(slope*(TNOM - T0) - (VJ - V0)/V0))
end

function saturation_factor(EG(unit="V"), XTI, N, T(unit="K"), TNOM(unit="K")) result k
  { The saturation current at T over that at TNOM. }
  k := exp(((T/TNOM - 1)*EG/thermal_voltage(T) + XTI*log(T/TNOM))/N)
end

function most_argument(IS(unit="A")) result x
  { Where the exponential of a junction continues as a line: at 10 kA. }
  constant most (unit="A") = 1e4
  x := log(most/IS)
end

function junction_current(v(unit="V"), IS(unit="A"), Vt(unit="V"), most) result i(unit="A")
  { IS*(exp(v/Vt) - 1), and below -3*Vt a function that approaches -IS slowly, so that its slope is not lost. }
  i := if v < -3*Vt then -IS*(1 + (3*Vt/(v*exp(1)))^3) else IS*(limited_exp(v/Vt, most) - 1)
end

function junction_slope(v(unit="V"), IS(unit="A"), Vt(unit="V"), most) result g(unit="S")
  { The derivative of junction_current. }
  g := if v < -3*Vt then 3*IS/v*(3*Vt/(v*exp(1)))^3
       else IS/Vt*exp(if v/Vt > most then most else v/Vt)
end

function depletion_capacitance(v, C0, VJ, M, FC) result C
  { C0/(1 - v/VJ)^M up to v = FC*VJ, and its tangent beyond. }
  C := if v < FC*VJ then C0/(1 - v/VJ)^M else C0/(1 - FC)^(1 + M)*(1 - FC*(1 + M) + M*v/VJ)
end

function breakdown_voltage(BV(unit="V"), IBV(unit="A"), IS(unit="A"), Vt(unit="V"),
                           Vb(unit="V")) result V(unit="V")
  { Where the exponential of breakdown, of width Vb, must start, so that the current is IBV at BV. }
  V := BV
  if IBV > IS*BV/Vt then
    for k = 1..25 do
      V := BV - Vb*log(IBV/IS + 1 - V/Vt)
    endfor
  endif
end

model class SpiceTemperature "the temperature of a device of SPICE, and that at which its parameters hold"
  parameter temp (unit="K") = 300.15 "temperature of the device"
  parameter TNOM (unit="K") = 300.15 "temperature at which the parameters hold"
  parameter gmin (unit="S") = 1e-12 "leakage of each junction"
end

model class (TwoPin, SpiceTemperature) SpiceDiode "diode of SPICE: conducts from A to B"
  parameter IS (unit="A") = 1e-14, N = 1 "saturation current, emission coefficient"
  parameter RS (unit="Ohm") = 0 "series resistance"
  parameter CJO (unit="F") = 0, VJ (unit="V") = 1, M = 0.5,
            FC = 0.5 "depletion capacitance at zero, potential, grading, where it continues as a line"
  parameter TT (unit="s") = 0 "transit time"
  parameter BV (unit="V") = 0, IBV (unit="A") = 1e-3,
            NBV = N "breakdown voltage, 0 for none, current there of all, emission coefficient there"
  parameter EG (unit="V") = 1.11, XTI = 3 "band gap, exponent of the temperature"
  parameter area = 1 "number of such diodes in parallel"
  parameter Vt (unit="V") = N*thermal_voltage(temp) "computed from the others, as all that follow"
  parameter IST (unit="A") = IS*saturation_factor(EG, XTI, N, temp, TNOM)
  parameter VJT (unit="V") = junction_potential(VJ, temp, TNOM),
            kC = capacitance_factor(VJ, M, temp, TNOM)
  parameter most = most_argument(IST)
  parameter Vw (unit="V") = NBV*thermal_voltage(temp),
            VB (unit="V") = breakdown_voltage(BV, IBV/area, IST, thermal_voltage(temp), Vw)
  terminal v (unit="V", start=0, fixed=false) "voltage of the junction"
  local ij (unit="A") "current without that of the capacitance"
  u = v + RS/area*i + white_noise(thermal_noise(RS/area, temp))
  if BV > 0 then
    ij = smooth(if v < -VB then -IST*exp(if -(v + VB)/Vw > most then most else -(v + VB)/Vw)
                else junction_current(v, IST, Vt, most)) + gmin*v
  else
    ij = smooth(junction_current(v, IST, Vt, most)) + gmin*v
  endif
  i = area*(ij + (TT*smooth(junction_slope(v, IST, Vt, most)) +
                  smooth(depletion_capacitance(v, CJO, VJT, M, FC))*kC)*der(v)) +
      white_noise(shot_noise(area*ij))
end

{ --- bipolar transistors: Gummel and Poon --- }

model class (SpiceTemperature) SpiceBipolar
    "common part of both kinds; inside, voltages and currents are those of an NPN"
  parameter BF = 100, BR = 1 "forward and reverse gain"
  parameter IS (unit="A") = 1e-16 "transport saturation current"
  parameter NF = 1, NR = 1 "emission coefficients"
  parameter VAF (unit="V") = 0, VAR (unit="V") = 0 "Early voltages, forward and reverse"
  parameter IKF (unit="A") = 0, IKR (unit="A") = 0 "currents at which the gains fall"
  parameter ISE (unit="A") = 0, NE = 1.5 "leakage of the base to the emitter"
  parameter ISC (unit="A") = 0, NC = 2 "leakage of the base to the collector"
  parameter RB (unit="Ohm") = 0, RBM (unit="Ohm") = RB, RC (unit="Ohm") = 0,
            RE (unit="Ohm") = 0 "resistances at base, there at large currents, collector and emitter"
  parameter CJE (unit="F") = 0, VJE (unit="V") = 0.75,
            MJE = 0.33 "depletion capacitance, base to emitter"
  parameter CJC (unit="F") = 0, VJC (unit="V") = 0.75,
            MJC = 0.33 "depletion capacitance, base to collector"
  parameter TF (unit="s") = 0, TR (unit="s") = 0 "forward and reverse transit time"
  parameter FC = 0.5 "fraction of the potentials beyond which depletion capacitances continue as lines"
  parameter EG (unit="V") = 1.11, XTI = 3, XTB = 0 "band gap, exponents of the temperature of IS and of the gains"
  parameter area = 1 "number of such transistors in parallel"
  parameter Vt (unit="V") = thermal_voltage(temp) "computed from the others, as all that follow"
  parameter IST (unit="A") = IS*saturation_factor(EG, XTI, 1, temp, TNOM)
  parameter BFT = BF*(temp/TNOM)^XTB, BRT = BR*(temp/TNOM)^XTB
  parameter kE = saturation_factor(EG, XTI, NE, temp, TNOM)*(TNOM/temp)^XTB,
            kC = saturation_factor(EG, XTI, NC, temp, TNOM)*(TNOM/temp)^XTB
  parameter VJET (unit="V") = junction_potential(VJE, temp, TNOM),
            VJCT (unit="V") = junction_potential(VJC, temp, TNOM),
            kJE = capacitance_factor(VJE, MJE, temp, TNOM),
            kJC = capacitance_factor(VJC, MJC, temp, TNOM)
  parameter most = most_argument(IST)
  parameter IVAF (unit="1/V") = if VAF > 0 then 1/VAF else 0,
            IVAR (unit="1/V") = if VAR > 0 then 1/VAR else 0
  cut (Pin) C (Vc / Ic), B (Vb / Ib), E (Ve / Ie)
  main cut W [C, B, E]
  terminal vbe (unit="V", start=0, fixed=false), vbc (unit="V", start=0, fixed=false) "voltages of the inner junctions"
  local ic (unit="A"), ib (unit="A") "currents into collector and base"
  local vc (unit="V"), vb (unit="V"), ve (unit="V") "potentials inside, of the pins of an NPN"
  local e (unit="1") "the inverse of the base charge, relative to that at zero"
  local e1 (unit="1"), h (unit="1"), dh (unit="1"), dq (unit="1/s") "its parts"
  local ibe (unit="A"), ibc (unit="A"), gbe (unit="S"), gbc (unit="S"), iqe (unit="A"),
        iqc (unit="A")
  local leak_e (unit="A"), leak_c (unit="A") "leakages"
  ibe = smooth(junction_current(vbe, IST, NF*Vt, most)) + gmin*vbe
  ibc = smooth(junction_current(vbc, IST, NR*Vt, most)) + gmin*vbc
  gbe = smooth(junction_slope(vbe, IST, NF*Vt, most)) + gmin
  gbc = smooth(junction_slope(vbc, IST, NR*Vt, most)) + gmin
  e = e1*h
  e1 = 1 - vbc*IVAF - vbe*IVAR
  if IKF > 0 or IKR > 0 then
    { q2 = ibe/IKF + ibc/IKR, h = 2/(1 + sqrt(1 + 4*q2)), dh = -h^2/sqrt(1 + 4*q2) times der(q2) }
    h = 2/(1 +
           noevent(sqrt(max(1e-12,
                            1 +
                            4*((if IKF > 0 then ibe/IKF else 0) +
                               (if IKR > 0 then ibc/IKR else 0))))))
    dh = -h^2*h/(2 - h)
    dq = (if IKF > 0 then gbe/IKF else 0)*der(vbe) + (if IKR > 0 then gbc/IKR else 0)*der(vbc)
  else
    h = 1
    dh = 0
    dq = 0
  endif
  { the charges of the junctions: TF*ibe*e and TR*ibc, and those of the depletion capacitances }
  iqe = TF*(gbe*e*der(vbe) + ibe*(e1*dh*dq - h*(IVAR*der(vbe) + IVAF*der(vbc)))) +
        smooth(depletion_capacitance(vbe, CJE, VJET, MJE, FC))*kJE*der(vbe)
  iqc = (TR*gbc + smooth(depletion_capacitance(vbc, CJC, VJCT, MJC, FC))*kJC)*der(vbc)
  ic = area*((ibe - ibc)*e - ibc/BRT - leak_c - iqc) +
       white_noise(shot_noise(area*((ibe - ibc)*e - ibc/BRT - leak_c)))
  ib = area*(ibe/BFT + ibc/BRT + leak_e + leak_c + iqe + iqc) +
       white_noise(shot_noise(area*(ibe/BFT + ibc/BRT + leak_e + leak_c)))
  if ISE > 0 then
    leak_e = smooth(junction_current(vbe, ISE*kE, NE*Vt, most_argument(ISE*kE)))
  else
    leak_e = 0
  endif
  if ISC > 0 then
    leak_c = smooth(junction_current(vbc, ISC*kC, NC*Vt, most_argument(ISC*kC)))
  else
    leak_c = 0
  endif
  vbe = vb - ve
  vbc = vb - vc
end

model class (SpiceBipolar) SpiceNPN "the base takes current in"
  Ic = ic
  Ib = ib
  Ie = -ic - ib
  vc = Vc - RC/area*ic + white_noise(thermal_noise(RC/area, temp))
  vb = Vb - (RBM + (RB - RBM)*e)/area*ib +
       white_noise(thermal_noise((RBM + (RB - RBM)*e)/area, temp))
  ve = Ve + RE/area*(ic + ib) + white_noise(thermal_noise(RE/area, temp))
end

model class (SpiceBipolar) SpicePNP "the base delivers current"
  Ic = -ic
  Ib = -ib
  Ie = ic + ib
  vc = -Vc - RC/area*ic + white_noise(thermal_noise(RC/area, temp))
  vb = -Vb - (RBM + (RB - RBM)*e)/area*ib +
       white_noise(thermal_noise((RBM + (RB - RBM)*e)/area, temp))
  ve = -Ve + RE/area*(ic + ib) + white_noise(thermal_noise(RE/area, temp))
end

{ --- field effect transistors: MOS of level 1 (Shichman, Hodges; Meyer's capacitances), JFET --- }

function mos_current(over(unit="V"), vds(unit="V")) result y(unit="V2")
  { The current from drain to source over the transconductance, for vds >= 0; over is the voltage of the gate above the threshold. }
  y := if over <= 0 then 0 elseif over <= vds then over^2/2 else vds*(over - vds/2)
end

function channel(over(unit="V"), vds(unit="V")) result g(unit="V")
  { The derivative of mos_current by over, for vds >= 0. }
  g := noevent(max(0, min(over, vds)))
end

function meyer_source(over, vds, PHI) result c
  { Capacitance of gate and source over that of the oxide, for vds >= 0. }
  c := if over <= -PHI/2 then 0 elseif over <= 0 then 2/3 + 4/3*over/PHI
       elseif over <= vds then 2/3 else 2/3*(1 - ((over - vds)/(2*over - vds))^2)
end

function meyer_drain(over, vds) result c
  { Capacitance of gate and drain over that of the oxide, for vds >= 0. }
  c := if over <= 0 or over <= vds then 0 else 2/3*(1 - (over/(2*over - vds))^2)
end

function meyer_bulk(over, PHI) result c
  { Capacitance of gate and bulk over that of the oxide. }
  c := if over <= -PHI then 1 elseif over <= 0 then -over/PHI else 0
end

model class (SpiceTemperature) SpiceNMOS "MOS transistor of level 1, n-channel; at (drain, gate, source, bulk)"
  parameter p = 1 "1 for n-channel, -1 for p-channel"
  parameter W (unit="m") = 1e-4, L (unit="m") = 1e-4,
            LD (unit="m") = 0 "width, length, by how much it is shorter at each end"
  parameter KP (unit="A/V2") = 2e-5, VTO (unit="V") = 0 "transconductance, threshold without bias"
  parameter GAMMA = 0, PHI (unit="V") = 0.6 "effect of the bulk on the threshold, in sqrt(V), surface potential"
  parameter LAMBDA (unit="1/V") = 0 "modulation of the length of the channel"
  parameter RD (unit="Ohm") = 0, RS (unit="Ohm") = 0 "resistances at drain and source"
  parameter CGSO (unit="F/m") = 0, CGDO (unit="F/m") = 0,
            CGBO (unit="F/m") = 0 "capacitances of overlaps, of width and, to the bulk, length"
  parameter TOX (unit="m") = 0 "thickness of the oxide, for Meyer's capacitances; 0: none"
  parameter IS (unit="A") = 1e-14 "saturation current of the diodes from the bulk"
  parameter CBD (unit="F") = 0, CBS (unit="F") = 0, PB (unit="V") = 0.8, MJ = 0.5,
            FC = 0.5 "depletion capacitances of the bulk"
  parameter m = 1 "number of such transistors in parallel"
  parameter Vt (unit="V") = thermal_voltage(temp) "computed from the others, as all that follow"
  parameter IST (unit="A") = IS*exp(band_gap(TNOM)/thermal_voltage(TNOM) - band_gap(temp)/Vt),
            most = most_argument(IST)
  parameter beta (unit="A/V2") = KP*(TNOM/temp)^1.5*W/(L - 2*LD)
  parameter PHIT (unit="V") = junction_potential(PHI, temp, TNOM),
            PBT (unit="V") = junction_potential(PB, temp, TNOM),
            kJ = capacitance_factor(PB, MJ, temp, TNOM)
  constant unit_V (unit="V") = 1, eps_ox (unit="F/m") = 3.453143733e-11
  parameter VT (unit="V") = p*(VTO + (band_gap(TNOM) - band_gap(temp))/2) + (PHIT - PHI)/2 +
            GAMMA*unit_V*(sqrt(PHIT/unit_V) - sqrt(PHI/unit_V))
  parameter COX (unit="F") = if TOX > 0 then eps_ox*W*(L - 2*LD)/TOX else 0
  cut (Pin) D (Vd / Id), G (Vg / Ig), S (Vs / Is), B (Vb / Ib)
  main cut pins [D, G, S, B]
  terminal vds (unit="V", start=0, fixed=false), vgs (unit="V", start=0, fixed=false),
           vbs (unit="V", start=0, fixed=false) "voltages inside, as those of an n-channel"
  local d (unit="V"), s (unit="V") "potentials inside, as those of an n-channel"
  local vx (unit="V"), over (unit="V") "with drain and source exchanged where vds < 0"
  local i (unit="A"), ibd (unit="A"), ibs (unit="A"), igs (unit="A"), igd (unit="A"), igb (unit="A")
  d = p*Vd - RD/m*p*Id + white_noise(thermal_noise(RD/m, temp))
  s = p*Vs - RS/m*p*Is + white_noise(thermal_noise(RS/m, temp))
  vds = d - s
  vgs = p*Vg - s
  vbs = p*Vb - s
  vx = noevent(abs(vds))
  over = smooth(if vds < 0 then vgs - vds else vgs) - VT -
         GAMMA*unit_V*smooth(bulk_root((if vds < 0 then vbs - vds else vbs)/unit_V, PHIT/unit_V))
  i = smooth(if vds < 0 then -1 else 1)*beta*(1 + LAMBDA*vx)*smooth(mos_current(over, vx)) +
      white_noise(thermal_current(2/3*beta*(1 + LAMBDA*vx)*channel(over, vx)/m, temp))
  ibd = smooth(junction_current(vbs - vds, IST, Vt, most)) + gmin*(vbs - vds) +
        smooth(depletion_capacitance(vbs - vds, CBD, PBT, MJ, FC))*kJ*der(vbs - vds)
  ibs = smooth(junction_current(vbs, IST, Vt, most)) + gmin*vbs +
        smooth(depletion_capacitance(vbs, CBS, PBT, MJ, FC))*kJ*der(vbs)
  if TOX > 0 then
    { without a small constant part, those of a region could vanish }
    igs = (CGSO*W +
           COX*(1e-4 +
                smooth(if vds < 0 then meyer_drain(over, vx)
                       else meyer_source(over, vx, PHIT))))*der(vgs)
    igd = (CGDO*W +
           COX*(1e-4 +
                smooth(if vds < 0 then meyer_source(over, vx, PHIT)
                       else meyer_drain(over, vx))))*der(vgs - vds)
    igb = (CGBO*(L - 2*LD) + COX*(1e-4 + smooth(meyer_bulk(over, PHIT))))*der(vgs - vbs)
  else
    igs = CGSO*W*der(vgs)
    igd = CGDO*W*der(vgs - vds)
    igb = CGBO*(L - 2*LD)*der(vgs - vbs)
  endif
  Id = m*p*(i - ibd - igd)
  Ig = m*p*(igs + igd + igb)
  Ib = m*p*(ibd + ibs - igb)
  Is = -(Id + Ig + Ib)
end

function bulk_root(vbs, PHI) result y
  { sqrt(PHI - vbs) - sqrt(PHI), and beyond zero the tangent down to sqrt(PHI) = 0. }
  y := if vbs <= 0 then sqrt(PHI - vbs) - sqrt(PHI) else max(-sqrt(PHI), -vbs/(2*sqrt(PHI)))
end

model class (SpiceNMOS) SpicePMOS "p-channel"
  parameter p = -1
end

model class (SpiceTemperature) SpiceNJF "junction field effect transistor, n-channel; at (drain, gate, source)"
  parameter p = 1 "1 for n-channel, -1 for p-channel"
  parameter VTO (unit="V") = -2 "threshold, below 0 for both channels"
  parameter BETA (unit="A/V2") = 1e-4, LAMBDA (unit="1/V") = 0 "transconductance, modulation of the channel"
  parameter RD (unit="Ohm") = 0, RS (unit="Ohm") = 0 "resistances at drain and source"
  parameter IS (unit="A") = 1e-14, EG (unit="V") = 1.11 "saturation current of the gate, band gap"
  parameter CGS (unit="F") = 0, CGD (unit="F") = 0, PB (unit="V") = 1,
            FC = 0.5 "depletion capacitances of the gate"
  parameter area = 1 "number of such transistors in parallel"
  constant M = 0.5
  parameter Vt (unit="V") = thermal_voltage(temp) "computed from the others, as all that follow"
  parameter IST (unit="A") = IS*saturation_factor(EG, 0, 1, temp, TNOM), most = most_argument(IST)
  parameter PBT (unit="V") = junction_potential(PB, temp, TNOM),
            kJ = capacitance_factor(PB, M, temp, TNOM)
  cut (Pin) D (Vd / Id), G (Vg / Ig), S (Vs / Is)
  main cut pins [D, G, S]
  terminal vds (unit="V", start=0, fixed=false),
           vgs (unit="V", start=0, fixed=false) "voltages inside, as those of an n-channel"
  local d (unit="V"), s (unit="V") "potentials inside, as those of an n-channel"
  local vx (unit="V"), over (unit="V") "with drain and source exchanged where vds < 0"
  local i (unit="A"), igs (unit="A"), igd (unit="A")
  d = p*Vd - RD/area*p*Id + white_noise(thermal_noise(RD/area, temp))
  s = p*Vs - RS/area*p*Is + white_noise(thermal_noise(RS/area, temp))
  vds = d - s
  vgs = p*Vg - s
  vx = noevent(abs(vds))
  over = smooth(if vds < 0 then vgs - vds else vgs) - VTO
  i = smooth(if vds < 0 then -1 else 1)*2*BETA*(1 + LAMBDA*vx)*smooth(mos_current(over, vx)) +
      white_noise(thermal_current(2/3*2*BETA*(1 + LAMBDA*vx)*channel(over, vx)/area, temp))
  igs = smooth(junction_current(vgs, IST, Vt, most)) + gmin*vgs +
        smooth(depletion_capacitance(vgs, CGS, PBT, M, FC))*kJ*der(vgs)
  igd = smooth(junction_current(vgs - vds, IST, Vt, most)) + gmin*(vgs - vds) +
        smooth(depletion_capacitance(vgs - vds, CGD, PBT, M, FC))*kJ*der(vgs - vds)
  Id = area*p*(i - igd)
  Ig = area*p*(igs + igd)
  Is = -(Id + Ig)
end

model class (SpiceNJF) SpicePJF "p-channel"
  parameter p = -1
end

{ --- switches, windings, the line --- }

model class (TwoPin) SpiceSwitch
    "switch with hysteresis: closed where x > level + width, open where x < level - width, between as before"
  parameter level = 0, width = 0 "of what controls it"
  parameter RON (unit="Ohm") = 1, ROFF (unit="Ohm") = 1e12 "resistances closed and open"
  parameter (Boolean) ON = false "it was closed before the start"
  terminal x "what controls it: a voltage or a current"
  terminal (Boolean) closed
  local (Boolean) was (start=ON) "it was closed before"
  closed = x > level + width or was and x >= level - width
  new(was) = closed
  u = (if closed then RON else ROFF)*i
end

model class (SpiceSwitch) SpiceVoltageSwitch "switch that is controlled by the voltage at its cut control (plus, minus)"
  cut (Pin) plus (Vp / ip), minus (Vm / im)
  cut control [plus, minus]
  x = Vp - Vm
  ip = 0
  im = 0
end

model class (TwoPin) CoupledInductor "a winding: u = L*der(i + coupled)"
  parameter L (unit="H") "inductance"
  parameter i0 (unit="A") = 0 "i + coupled at the start"
  terminal coupled (unit="A") "currents of the other windings of its core, each times k*sqrt(its L/L)"
  local im (unit="A", start=i0) "magnetizing current"
  im = i + coupled
  u = L*der(im)
end

model class (TwoPort) LosslessLine "a line without losses, of impedance Z0 and delay T"
  parameter Z0 (unit="Ohm") = 50, T (unit="s") "impedance, delay from one end to the other"
  local w1 (unit="V"), w2 (unit="V") "waves that enter the line"
  w1 = u1 + Z0*i1
  w2 = u2 + Z0*i2
  u1 - Z0*i1 = delay(w2, T)
  u2 - Z0*i2 = delay(w1, T)
end
