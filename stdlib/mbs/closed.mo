{ Cuts of assemblies that close a loop, with forces as through variables: a part of mbs.mo. }

@mbs

model class MbsRodPairCuts "cuts of RodPair"
  cut (Frame) a (Ta, ra, va, aa / fa) "where rod 1 turns", b (Tb, rb, vb, ab / fb) "the other side"
  cut (Frame) ia (Ti, ra, vi, ai / fi) "frame of rod 1, its origin that of a"
  cut (Frame) im (Tm, rm, vm, am / fm) "frame at m, fixed to the part on the side of b"
  main cut c [a, b]
  main path p <a - b>
end

model class (MbsRodPairCuts) MbsRRRCuts "cuts of JointRRR"
  cut (Frame) ib (Tj, rb, vj, aj / fj) "frame of rod 2, its origin that of b"
end

model class (MbsRodPairCuts, MbsSliderCut) MbsRRPCuts "cuts of JointRRP"
  cut (Frame) ib (Tb, rj, vj, aj / fj) "frame of the slider, at b in the home position"
end

model class (MbsSliderCut) MbsRPRCuts "cuts of JointRPR"
  cut (Frame) a (Ta, ra, va, aa / fa) "where the cylinder turns",
      b (Tb, rb, vb, ab / fb) "where the rod turns"
  cut (Frame) ia (Ti, ra, vi, ai / fi) "frame of the cylinder, its origin that of a"
  cut (Frame) ib (Ti, rb, vj, aj / fj) "frame of the rod, its origin that of b"
  main cut c [a, b]
  main path p <a - b>
end

model class MbsRodFromUniversalCuts "cuts of UniversalRod"
  cut (Frame) a (Ta, ra, va, aa / fa) "where the universal joint is",
      b (Tb, rb, vb, ab / fb) "the other side"
  cut (Frame) ia (Ti, ra, vi, ai / fi) "frame of the rod, its origin that of a"
  main cut c [a, b]
  main path p <a - b>
end

model class (MbsRodFromUniversalCuts, MbsSliderCut) MbsUPSCuts "cuts of JointUPS"
  cut (Frame) ib (Ti, rb, vj, aj / fj) "frame of the rod in the cylinder, its origin that of b"
end

model class (MbsRodFromUniversalCuts) MbsUSRCuts "cuts of JointUSR"
  cut (Frame) ib (Tj, rb, vj, aj / fj) "frame of the rod from b, its origin that of b"
  cut (Frame) im (Tj, rm, vm, am / fm) "the same, at m"
end

model class (MbsSliderCut) MbsSSPCuts "cuts of JointSSP"
  cut (Frame) a (Ta, ra, va, aa / fa) "where the rod begins",
      b (Tb, rb, vb, ab / fb) "the other side"
  cut (Frame) ib (Tb, rj, vj, aj / fj) "frame of the slider, at b in the home position"
  cut (Frame) im (Tb, rm, vm, am / fm) "the same, at m"
  main cut c [a, b]
  main path p <a - b>
end
