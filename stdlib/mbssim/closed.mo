{ Cuts of assemblies that close a loop: a part of mbssim.mo. At the cuts a and b the assembly is a force element: I = 0 in (14), and b is
  the force, which depends on accelerations and so is part of a linear system. }

@mbssim

model class MbsSliderCut "displacement of a slider"
  cut (DriveCut) ext (s(unit="m"), sd(unit="m/s"), sdd(unit="m/s2"),
                      hold(unit="N"), driven / applied(unit="N"), -J(unit="kg"), -L,
                      -p(unit="m/s2"), ., -moves)
      "displacement of the slider and force along it"
  local lambda (unit="N") "force along the displacement, including that of rotors and of the locking element"
  { (8) }
  lambda = applied - J*sdd + hold
  driven = moves
  L*(sdd - p) + (1 - L)*hold = 0
end

model class MbsRodPairCuts "cuts of RodPair"
  cut (Frame) a (Ta, ra, va, aa / Ia, fa) "where rod 1 turns",
      b (Tb, rb, vb, ab / Ib, fb) "the other side"
  cut (Frame) ia (Ti, ra, vi, ai / Ii, bi) "frame of rod 1, its origin that of a"
  cut (Frame) im (Tm, rm, vm, am / Im, bm) "frame at m, fixed to the part on the side of b"
  main cut c [a, b]
  main path p <a - b>
  local fi(6), fm(6) "cut forces of the elements connected to ia and im, with the opposite sign"
  { (14) }
  Ia = 0
  Ib = 0
  fi = Ii*ai + bi
  fm = Im*am + bm
end

model class (MbsRodPairCuts) MbsRRRCuts "cuts of JointRRR"
  cut (Frame) ib (Tj, rb, vj, aj / Ij, bj) "frame of rod 2, its origin that of b"
  local fj(6) "cut force there"
  fj = Ij*aj + bj
end

model class (MbsRodPairCuts, MbsSliderCut) MbsRRPCuts "cuts of JointRRP"
  cut (Frame) ib (Tb, rj, vj, aj / Ij, bj) "frame of the slider, at b in the home position"
  local fj(6) "cut force of the elements connected to ib, with the opposite sign"
  fj = Ij*aj + bj
end

model class (MbsSliderCut) MbsRPRCuts "cuts of JointRPR"
  cut (Frame) a (Ta, ra, va, aa / Ia, fa) "where the cylinder turns",
      b (Tb, rb, vb, ab / Ib, fb) "where the rod turns"
  cut (Frame) ia (Ti, ra, vi, ai / Ii, bi) "frame of the cylinder, its origin that of a"
  cut (Frame) ib (Ti, rb, vj, aj / Ij, bj) "frame of the rod, its origin that of b"
  main cut c [a, b]
  main path p <a - b>
  local fi(6), fj(6) "cut forces of the elements connected to ia and ib, with the opposite sign"
  { (14) }
  Ia = 0
  Ib = 0
  fi = Ii*ai + bi
  fj = Ij*aj + bj
end

model class MbsRodFromUniversalCuts "cuts of UniversalRod"
  cut (Frame) a (Ta, ra, va, aa / Ia, fa) "where the universal joint is",
      b (Tb, rb, vb, ab / Ib, fb) "the other side"
  cut (Frame) ia (Ti, ra, vi, ai / Ii, bi) "frame of the rod, its origin that of a"
  main cut c [a, b]
  main path p <a - b>
  local fi(6) "cut force of the elements connected to ia, with the opposite sign"
  { (14) }
  Ia = 0
  Ib = 0
  fi = Ii*ai + bi
end

model class (MbsRodFromUniversalCuts, MbsSliderCut) MbsUPSCuts "cuts of JointUPS"
  cut (Frame) ib (Ti, rb, vj, aj / Ij, bj) "frame of the rod in the cylinder, its origin that of b"
  local fj(6) "cut force of the elements connected to ib, with the opposite sign"
  fj = Ij*aj + bj
end

model class (MbsRodFromUniversalCuts) MbsUSRCuts "cuts of JointUSR"
  cut (Frame) ib (Tj, rb, vj, aj / Ij, bj) "frame of the rod from b, its origin that of b"
  cut (Frame) im (Tj, rm, vm, am / Im, bm) "the same, at m"
  local fj(6), fm(6) "cut forces of the elements connected to ib and im, with the opposite sign"
  fj = Ij*aj + bj
  fm = Im*am + bm
end

model class (MbsSliderCut) MbsSSPCuts "cuts of JointSSP"
  cut (Frame) a (Ta, ra, va, aa / Ia, fa) "where the rod begins",
      b (Tb, rb, vb, ab / Ib, fb) "the other side"
  cut (Frame) ib (Tb, rj, vj, aj / Ij, bj) "frame of the slider, at b in the home position"
  cut (Frame) im (Tb, rm, vm, am / Im, bm) "the same, at m"
  main cut c [a, b]
  main path p <a - b>
  local fj(6), fm(6) "cut forces of the elements connected to ib and im, with the opposite sign"
  { (14) }
  Ia = 0
  Ib = 0
  fj = Ij*aj + bj
  fm = Im*am + bm
end
