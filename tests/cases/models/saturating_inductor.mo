{ An inductor with a saturating core beside one without, at a voltage of a cosine. }

@electrical

model ShowSaturatingInductor
  constant pi = 3.14159265358979323846
  submodel (VCosine) V(V=1.25, f=1/(2*pi))
  submodel (Inductor) Inductance1(L=1)
  submodel (SaturatingInductor) SaturatingInductance1(Inom=1, Lnom=1, Lzer=2, Linf=0.5)
  submodel (Ground) g
  connect V to reversed (Inductance1 par SaturatingInductance1) to V, g at V:B
end
