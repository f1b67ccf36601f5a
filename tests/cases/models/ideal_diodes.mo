{ Characteristics of ideal diodes under sines: without and with losses, with a threshold. }

@electrical

model CharacteristicIdealDiodes
  submodel (IdealDiode) Ideal(Ron=0, Goff=0), With_Ron_Goff(Ron=0.1, Goff=0.1),
                        With_Ron_Goff_Vknee(Ron=0.2, Goff=0.2, Vknee=5)
  submodel (VSine) V1(V=10, f=1), V2(V0=-9, V=10, f=1), V3(V=10, f=1)
  submodel (Resistor) R1(R=1e-3), R2(R=1e-3), R3(R=1e-3)
  submodel (Ground) g
  connect V1:A to Ideal to R1 to V1:B to g,
          V2:A to With_Ron_Goff to R2 to V2:B to g,
          V3:A to With_Ron_Goff_Vknee to R3 to V3:B to g
end
