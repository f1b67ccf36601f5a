{ Cuts of assemblies that close a loop: a part of mbssim.mo. At the cuts a and b the assembly is a force element: I = 0 in (14), and b is
  the force, which depends on accelerations and so is part of a linear system. }

@mbssim

model class MbsSliderCut "displacement of a slider"
  cut (DriveCut) ext (s(unit="m"), sd(unit="m/s"), sdd(unit="m/s2"),
                      hold(unit="N"), driven / applied(unit="N"), -J(unit="kg"), -L,
                      -p(unit="m/s2"), ., -moves)
      "displacement of the slider and force along it"
  local lambda (unit="N") "force along the displacement, including that of rotors and of the locking element"
  local locked "as in joints.mo"
  { (8) }
  locked = noevent(if L > 0 then 1 else 0)
  lambda = applied - J*sdd + L*hold
  driven = moves
  locked*(sdd - p) + (1 - locked)*hold = 0
end

model class (MbsChain) MbsLoopCuts "cuts that an assembly connects"
  cut (Frame) a (Ta, ra, va, aa / Ia, fa) "where the first rod or the cylinder begins",
      b (Tb, rb, vb, ab / Ib, fb) "the other side"
  { (14) }
  Ia = 0
  Ib = 0
end

model class (MbsLoopCuts) MbsRodCuts "with the first rod or the cylinder"
  cut (Frame) ia (Ti, ra, vi, ai / Ii, bi) "frame of the first rod or the cylinder, its origin that of a"
  local fi(6) "cut force of the elements connected to ia, with the opposite sign"
  fi = Ii*ai + bi
end

model class MbsForceAtB "a subclass gives the cut ib"
  local fj(6) "cut force of the elements connected to ib, with the opposite sign"
  fj = Ij*aj + bj
end

model class MbsForceAtM "a subclass gives the cut im"
  local fm(6) "cut force of the elements connected to im, with the opposite sign"
  fm = Im*am + bm
end

model class (MbsRodCuts, MbsForceAtM) MbsRodPairCuts "cuts of RodPair"
  cut (Frame) im (Tm, rm, vm, am / Im, bm) "frame at m, fixed to the part on the side of b"
end

model class (MbsRodPairCuts, MbsForceAtB) MbsRRRCuts "cuts of JointRRR"
  cut (Frame) ib (Tj, rb, vj, aj / Ij, bj) "frame of rod 2, its origin that of b"
end

model class (MbsRodPairCuts, MbsForceAtB, MbsSliderCut) MbsRRPCuts "cuts of JointRRP"
  cut (Frame) ib (Tb, rj, vj, aj / Ij, bj) "frame of the slider, at b in the home position"
end

model class (MbsRodCuts, MbsForceAtB, MbsSliderCut) MbsRPRCuts "cuts of JointRPR"
  cut (Frame) ib (Ti, rb, vj, aj / Ij, bj) "frame of the rod, its origin that of b"
end

model class (MbsRodCuts, MbsForceAtB, MbsSliderCut) MbsUPSCuts "cuts of JointUPS"
  cut (Frame) ib (Ti, rb, vj, aj / Ij, bj) "frame of the rod in the cylinder, its origin that of b"
end

model class (MbsRodCuts, MbsForceAtB, MbsForceAtM) MbsUSRCuts "cuts of JointUSR"
  cut (Frame) ib (Tj, rb, vj, aj / Ij, bj) "frame of the rod from b, its origin that of b"
  cut (Frame) im (Tj, rm, vm, am / Im, bm) "the same, at m"
end

model class (MbsLoopCuts, MbsForceAtB, MbsForceAtM, MbsSliderCut) MbsSSPCuts "cuts of JointSSP"
  cut (Frame) ib (Tb, rj, vj, aj / Ij, bj) "frame of the slider, at b in the home position"
  cut (Frame) im (Tb, rm, vm, am / Im, bm) "the same, at m"
end
