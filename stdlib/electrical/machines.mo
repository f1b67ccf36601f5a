{ Conversion between electricity and rotation. The flange has an angle and a torque, which counts into the component. }

@electrical

model class (TwoPin) RotationalEmf "electromotive force of a motor: u = k*der(phi), torque k*i on the connected shaft"
  cut flange (phi(unit="rad") / tau(unit="N.m"))
  parameter k (unit="N.m/A") "torque by current, which is voltage by speed"
  terminal w (unit="rad/s") "speed"
  w = der(phi)
  u = k*w
  tau = -k*i
end

model class DCMachine
    "DC machine with permanent magnets, motor or generator: u = Ra*i + La*der(i) + k*w, J*der(w) = k*i + tau"
  cut (Pin) A (Va / i), B (Vb / -i)
  cut flange (phi(unit="rad") / tau(unit="N.m"))
  main cut W [A, B]
  main path P <A - B>
  parameter VNominal (unit="V") = 100, INominal (unit="A") = 100,
            wNominal (unit="rad/s") = 149.22565104551518 "nominal point, as a motor"
  parameter Ra (unit="Ohm") = 0.05, La (unit="H") = 0.0015 "armature"
  parameter J (unit="kg.m2") = 0.15 "inertia of the rotor"
  parameter k (unit="N.m/A") = (VNominal - Ra*INominal)/wNominal "follows from the nominal point"
  terminal u (unit="V"), w (unit="rad/s"), torque (unit="N.m") "voltage, speed, electrical torque"
  u = Va - Vb
  w = der(phi)
  u = Ra*i + La*der(i) + k*w
  torque = k*i
  J*der(w) = torque + tau
end
