{ Force elements and sensors whose equations are those of mbs.mo. }

@mbs

model class (MbsOneCut) MbsLoad "element without mass on one cut; a subclass gives fa"
end

model class (MbsTwoCut) Force "element without mass between two cuts; a subclass gives fa and fb"
end

model class (Force, MbsSpringEnds) SpringWithMass
    "linear spring between two origins, with a mass that is spread evenly along the line"
  { The kinetic energy is m/6*(va'*va + va'*vb + vb'*vb). }
  fa = [zeros(3); Ta'*(m/6*(2*A + B) - F)]
  fb = [zeros(3); Tb'*(m/6*(A + 2*B) + F)]
end

model class (MbsLoadSensor) CutForce "load of a connection: force and torque on the sensor at cut a"
  cut (Frame) a (T, r, v, acc / F), b (T, r, v, acc / -F)
  [tau; f] = F
  P = F'*v
end
