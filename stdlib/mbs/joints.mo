{ Joints of trees: their coordinates are states, unless something else determines them.

  Frame b of a joint that turns freely (Turning) is turned relative to frame a by an angle about a unit vector u; the Euler parameters p are
  [u*sin(angle/2); cos(angle/2)], and der(p) follows from the relative angular velocity w, resolved in frame b. These equations
  are not singular in any position. }

@mbs

model class (Interact, MbsOneFreedom) Joint "joint of one degree of freedom"
  { (8a) for a joint that is not locked }
  lambda = -Phi'*fb
end

model class (MbsTwoCut, MbsJointN) FlexibleBody
    "body with a frame b that n coordinates move; a subclass gives T and r as functions of q, and the mass"
  { (4h), (8a) for a joint that is not locked }
  fa = Irr*aa + Irq*qdd + br - C'*fb
  for i = 1..n do
    lambda(i) + coordinate(i).lambda = Irq(:, i)'*aa + Iqq(:, i)'*qdd + bq(i) - Phi(:, i)'*fb
  endfor
end

model class (Interact, MbsBall) Turning
    "joint in which b turns freely; a subclass gives r, alpha and the forces through the joint"
end

model class (Turning) Spherical "spherical joint: the origins of both frames are one point"
  r = 0
  { (6); (8a) for Phi = [E; 0] }
  if not closing then
    bvab = [w; zeros(3)]
    baab = [alpha; zeros(3)]
  endif
  fb(1..3) = -tau
end

model class (Turning, MbsFreeMotion) Free
    "no joint: b moves freely relative to a, and only the applied force and torque pass"
  if not closing then
    baab = [alpha; T*der(v)]
  endif
  fb = -[tau; T*f]
end
