{ Force elements and sensors whose equations are those of mbssim.mo. I = 0 in (14), and b is the force. }

@mbssim

model class (MbsOneCut) MbsLoad "element without mass on one cut; a subclass gives fa, which is ba"
  local fa(6) "cut force"
  Ia = 0
  ba = fa
end

model class (MbsTwoCut) Force "element without mass between two cuts; a subclass gives fa and fb, which are ba and bb"
  local fa(6), fb(6) "cut forces"
  Ia = 0
  Ib = 0
  ba = fa
  bb = fb
end

model class (MbsTwoCut, MbsSpringEnds) SpringWithMass
    "linear spring between two origins, with a mass that is spread evenly along the line"
  { The kinetic energy is m/6*(va'*va + va'*vb + vb'*vb). }
  Ia = [zeros(3,3), zeros(3,3); zeros(3,3), m/3*identity(3)]
  Ib = Ia
  ba = [zeros(3); Ta'*(m/6*B - F)]
  bb = [zeros(3); Tb'*(m/6*A + F)]
end

model class (MbsLoadSensor) CutForce "load of a connection: force and torque on the sensor at cut a"
  cut (Frame) a (T, r, v, acc / I, b), b (T, r, v, acc / -I, -b)
  { (14) }
  [tau; f] = I*acc + b
  P = [tau; f]'*v
end
