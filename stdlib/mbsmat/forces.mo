{ Force elements and sensors whose equations are those of mbsmat.mo. }

@mbsmat

model class (MbsOneCut) MbsLoad "element without mass on one cut; a subclass gives fa"
end

model class (MbsTwoCut) Force "element without mass between two cuts; a subclass gives fa and fb"
end

model class (MbsSpringEnds, MbsChain) SpringWithMass
    "linear spring between two origins, with a mass that is spread evenly along the line"
  cut (Frame) a (Ta, ra, va, aa, Ba, ca / fa, ga, M, h), b (Tb, rb, vb, ab, Bb, cb / fb, gb)
  constant (Integer) dofs = count("dof")
  local Ja(3, dofs), Jb(3, dofs) "Ja*qd and Jb*qd are the velocities of the ends"
  local C(3)(unit="m/s2"), D(3)(unit="m/s2") "accelerations of the ends for qdd = 0"
  C = Ta*ca(4..6)
  D = Tb*cb(4..6)
  Ja = Ta*Ba(4..6,:)
  Jb = Tb*Bb(4..6,:)
  { The kinetic energy is m/6*(va'*va + va'*vb + vb'*vb). }
  fa = [zeros(3); Ta'*(m/6*(2*A + B) - F)]
  fb = [zeros(3); Tb'*(m/6*(A + 2*B) + F)]
  M = m/3*(Ja'*Ja + Jb'*Jb) + m/6*(Ja'*Jb + Jb'*Ja)
  for i = 1..dofs do
    h(i) = m/6*(Ja(:, i)'*(2*C + D) + Jb(:, i)'*(C + 2*D))
    ga(i) = Ja(:, i)'*F
    gb(i) = -Jb(:, i)'*F
  endfor
end

model class (MbsLoadSensor) CutForce "load of a connection: force and torque on the sensor at cut a"
  cut (Frame) a (T, r, v, acc, B, bias, qdds, balance / F, g, M, h, w),
      b (T, r, v, acc, B, bias, qdds, balance / -F, -g, -M, -h, -w)
  [tau; f] = F
  P = F'*v
end
