{ Springs, dampers, contacts and a sensor of loads: a part of each multibody library. }

@mbs

model class (LineForce) Spring "linear spring between two origins"
  parameter c (unit="N/m") "stiffness"
  parameter s0 (unit="m") = 0 "unstretched length"
  f = c*(s - s0)
end

model class (LineForce) Damper "linear damper between two origins"
  parameter d (unit="N.s/m") "damping"
  f = d*sd
end

model class (LineForce) SpringDamper "linear spring and damper between two origins"
  parameter c (unit="N/m") "stiffness"
  parameter d (unit="N.s/m") = 0 "damping"
  parameter s0 (unit="m") = 0 "unstretched length"
  f = c*(s - s0) + d*sd
end

model class (LineForce) SpringDamperSeries "linear spring and damper, one after the other, between two origins"
  parameter c (unit="N/m", min=1e-300) "stiffness"
  parameter d (unit="N.s/m", min=1e-300) "damping"
  parameter s0 (unit="m") = 0 "distance without force, at the start"
  parameter drawn0 (unit="m") = 0 "drawn at the start"
  terminal drawn (unit="m", start=drawn0) "part of the distance by which the damper is drawn out"
  f = c*(s - s0 - drawn)
  der(drawn) = f/d
end

model class MbsSpringMass "spring with a mass that is spread evenly along the line; a subclass gives the forces"
  parameter c (unit="N/m") "stiffness"
  parameter s0 (unit="m") = 0 "unstretched length"
  parameter m (unit="kg", min=0) "mass"
  constant small (unit="m") = 1e-9 "below this distance the line has no direction"
  terminal s (unit="m") "distance of the origins"
  local F(3)(unit="N") "force of the spring"
  s = norm(rb - ra)
  F = c*(s - s0)/max(s, small)*(rb - ra)
end

model class MbsAxialTorque "angle about axis 3 of frame a, which both frames have; a subclass gives xd and the torques"
  terminal theta (unit="rad") "angle from axis 1 of a to that of b, about axis 3 of a; it counts turns"
  terminal thetad (unit="rad/s") "its derivative"
  terminal tau (unit="N.m") "torque"
  local x(3)(unit="1") "axis 1 of b, resolved in frame a"
  local xd(3)(unit="1/s") "its derivative"
  local part (unit="rad"),
        turned (unit="rad") "angle of less than a turn; integral of thetad, by which turns are counted"
  x = Ta'*(Tb*[1, 0, 0])
  thetad = (x(1)*xd(2) - x(2)*xd(1))/max(x(1)^2 + x(2)^2, 1e-12)
  part = atan2(x(2), x(1))
  der(turned) = thetad
  theta = part + 6.283185307179586*noevent(floor((turned - part)/6.283185307179586 + 0.5))
  initial
    turned = part
  endinitial
end

model class (AxialTorque) TorsionalSpring "linear torsional spring about axis 3 of frame a"
  parameter c (unit="N.m/rad") "stiffness"
  parameter theta0 (unit="rad") = 0 "angle without torque"
  tau = c*(theta - theta0)
end

model class (AxialTorque) TorsionalDamper "linear torsional damper about axis 3 of frame a"
  parameter d (unit="N.m.s/rad") "damping"
  tau = d*thetad
end

{ --- contacts --- }

model class (Wrench, MbsPlane, MbsHuntCrossley, MbsRegularized) PlaneContact
    "compliant contact of a sphere or a point, at b, with a plane, at a; its friction never sticks"
end

model class (Wrench, MbsPlane, MbsStickSlip) PlaneStickSlip
    "compliant contact of a sphere or a point, at b, with a plane, at a; it sticks, elastically, or slides"
end

model class (Wrench, MbsNewton, MbsRegularized) PlaneImpact
    "impact of a sphere or a point, at b, with a plane, at a, by Newton's law; with friction that never sticks"
end

{ --- sensors --- }

model class (MbsChain) MbsLoadSensor "load of a connection; a subclass gives the cuts, f, tau and P"
  terminal f(3)(unit="N"), tau(3)(unit="N.m") "force and torque, resolved in the frame"
  terminal P (unit="W") "power that flows in at a and out at b"
end
