{ A direct-current motor that is loaded at 3 s. }

@electrical

model class Rotor "an inertia with friction"
  parameter J (unit="kg.m2") = 0.02, f (unit="N.m.s/rad") = 0.01
  terminal load (unit="N.m")
  main cut s (q(unit="rad"), qd(unit="rad/s"), qdd(unit="rad/s2") / tau(unit="N.m"))
  qd = der(q)
  qdd = der(qd)
  J*qdd = tau + load - f*qd
end

model DCMotor
  submodel (VConst) V(V=10)
  submodel (Resistor) R(R=0.5)
  submodel (Inductor) L(L=4.5e-3)
  submodel (Emf) emf(k=0.5)
  submodel (Rotor) rotor
  submodel (Ground) g
  connect V:A to R to L to emf to V:B, g at V:B, rotor at emf:mech
  rotor.load = if time < 3 then 0 else -0.3
end
