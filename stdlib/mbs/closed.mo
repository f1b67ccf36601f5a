{ Cuts of assemblies that close a loop, with forces as through variables: a part of mbs.mo. }

@mbs

model class (MbsChain) MbsLoopCuts "cuts that an assembly connects"
  cut (Frame) a (Ta, ra, va, aa / fa) "where the first rod or the cylinder begins",
      b (Tb, rb, vb, ab / fb) "the other side"
end

model class (MbsLoopCuts) MbsRodCuts "with the first rod or the cylinder"
  cut (Frame) ia (Ti, ra, vi, ai / fi) "frame of the first rod or the cylinder, its origin that of a"
end

model class (MbsRodCuts) MbsRodPairCuts "cuts of RodPair"
  cut (Frame) im (Tm, rm, vm, am / fm) "frame at m, fixed to the part on the side of b"
end

model class (MbsRodPairCuts) MbsRRRCuts "cuts of JointRRR"
  cut (Frame) ib (Tj, rb, vj, aj / fj) "frame of rod 2, its origin that of b"
end

model class (MbsRodPairCuts, MbsSliderCut) MbsRRPCuts "cuts of JointRRP"
  cut (Frame) ib (Tb, rj, vj, aj / fj) "frame of the slider, at b in the home position"
end

model class (MbsRodCuts, MbsSliderCut) MbsRPRCuts "cuts of JointRPR"
  cut (Frame) ib (Ti, rb, vj, aj / fj) "frame of the rod, its origin that of b"
end

model class (MbsRodCuts, MbsSliderCut) MbsUPSCuts "cuts of JointUPS"
  cut (Frame) ib (Ti, rb, vj, aj / fj) "frame of the rod in the cylinder, its origin that of b"
end

model class (MbsRodCuts) MbsUSRCuts "cuts of JointUSR"
  cut (Frame) ib (Tj, rb, vj, aj / fj) "frame of the rod from b, its origin that of b"
  cut (Frame) im (Tj, rm, vm, am / fm) "the same, at m"
end

model class (MbsLoopCuts, MbsSliderCut) MbsSSPCuts "cuts of JointSSP"
  cut (Frame) ib (Tb, rj, vj, aj / fj) "frame of the slider, at b in the home position"
  cut (Frame) im (Tb, rm, vm, am / fm) "the same, at m"
end
