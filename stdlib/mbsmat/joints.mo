{ Joints of trees: their coordinates are states, unless something else determines them. Euler parameters as in mbs/joints.mo. }

@mbsmat

model class (MbsLightJoint, MbsOneFreedom) Joint "joint of one degree of freedom"
  constant (Integer) dofs (private) = count("dof")
  submodel (MbsNumbers) moving(n=1) if not closing
  local e(dofs)(private) "qd is e'*(those of all joints)"
  if closing then
    { (8a) }
    e = 0
    lambda = -Phi'*fb
  else
    { (N6), (N8), (N11): the columns of B of the joints before this one, and its own }
    for i = 1..dofs do
      e(i) = if i == moving.k(1) then 1 else 0
    endfor
    Bb = C*Ba + Phi*e'
    cb = C*ca + xi + zeta
    { (P9), of which this joint has one row }
    ga + gb = lambda*e
    wa + wb = qdd*e
    balance(moving.k(1)) = 0
  endif
end

model class (MbsJoint, MbsJointN) FlexibleBody
    "body with a frame b that n coordinates move; a subclass gives T and r as functions of q, and the mass"
  constant (Integer) dofs (private) = count("dof")
  submodel (MbsNumbers) moving(n=n) if not closing
  local applied(n)(private) "all forces along the coordinates"
  local E(n, dofs)(private) "qd is E*(those of all joints)"
  for i = 1..n do
    applied(i) = lambda(i) + coordinate(i).lambda
  endfor
  force = Irr*aa + Irq*qdd + br
  { (N18), (N20) }
  mass = Ba'*Irr*Ba + Ba'*Irq*E + E'*Irq'*Ba + E'*Iqq*E
  bias = Ba'*(Irr*ca + br) + E'*(Irq'*ca + bq)
  if closing then
    { (8a) }
    E = 0
    for i = 1..n do
      applied(i) = Irq(:, i)'*aa + Iqq(:, i)'*qdd + bq(i) - Phi(:, i)'*fb
    endfor
  else
    { (N11); (P9), of which this joint has n rows }
    Bb = C*Ba + Phi*E
    cb = C*ca + xi + zeta
    for i = 1..n do
      for j = 1..dofs do
        E(i, j) = if j == moving.k(i) then 1 else 0
      endfor
      balance(moving.k(i)) = 0
    endfor
    for j = 1..dofs do
      ga(j) + gb(j) = E(:, j)'*applied
      wa(j) + wb(j) = E(:, j)'*qdd
    endfor
  endif
end

model class (MbsLightJoint, MbsBall) Turning
    "joint in which b turns freely; a subclass gives r, the motion of b and the forces"
  constant (Integer) dofs (private) = count("dof")
  submodel (MbsNumbers) turning(n=3) if not closing
  local Ew(3, dofs) "w is Ew*(qd of all joints)"
  if closing then
    Ew = 0
  else
    for i = 1..3 do
      for j = 1..dofs do
        Ew(i, j) = if j == turning.k(i) then 1 else 0
      endfor
      { (P9), of which this joint has three rows }
      balance(turning.k(i)) = 0
    endfor
  endif
end

model class (Turning) Spherical "spherical joint: the origins of both frames are one point"
  r = 0
  { (6); (N11) for Phi = [E; 0] }
  if closing then
    fb(1..3) = -tau
  else
    bvab = [w; zeros(3)]
    baab = [alpha; zeros(3)]
    cb = C*ca + xi
    Bb = C*Ba + [Ew; zeros(3, dofs)]
    ga + gb = Ew'*tau
    wa + wb = Ew'*alpha
  endif
end

model class (Turning, MbsFreeMotion) Free
    "no joint: b moves freely relative to a, and only the applied force and torque pass"
  terminal vd(3)(unit="m/s2") "the derivative of v"
  submodel (MbsNumbers) moving(n=3) if not closing
  local Ev(3, dofs) "v is Ev*(qd of all joints)"
  der(v) = vd
  { (6); (N11) for Phi = [E, 0; 0, T] }
  if closing then
    Ev = 0
    fb = -[tau; T*f]
  else
    baab = [alpha; T*vd]
    cb = C*ca + xi
    Bb = C*Ba + [Ew; T*Ev]
    ga + gb = Ew'*tau + Ev'*f
    wa + wb = Ew'*alpha + Ev'*vd
    for i = 1..3 do
      for j = 1..dofs do
        Ev(i, j) = if j == moving.k(i) then 1 else 0
      endfor
      balance(moving.k(i)) = 0
    endfor
  endif
end
