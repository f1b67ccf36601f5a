{ A direct-current machine with permanent magnets that is started with a ramp of its voltage, and loaded at its speed. }

@electrical

model class Load "an inertia with a torque"
  main cut flange (phi(unit="rad") / tau(unit="N.m"))
  parameter J (unit="kg.m2") = 0.15
  terminal w (unit="rad/s"), torque (unit="N.m")
  w = der(phi)
  J*der(w) = tau + torque
end

model DCPMStart
  submodel (VRamp) V(V=100, t0=0.2, T=0.8)
  submodel (DCMachine) dcpm
  submodel (Load) load
  submodel (Ground) g
  connect V to reversed dcpm to V, g at V:B, load at dcpm:flange
  load.torque = if time < 1.5 then 0 else -63.66
end
