{ Assemblies of joints that close a loop in space: a part of mbsabs.mo.

  U, S, R and P are a universal, spherical, revolute and prismatic joint, in the order from cut a to cut b. The rest of the mechanism
  determines the motion of these cuts. The rods are parts with coordinates, held by constraints as other parts. The closed solution,
  which mbs.mo has, is where the iteration for their Euler parameters begins, so that it finds the given one. The rods are massless:
  connect bodies to the cuts ia, ib and im, which move with them. }

@mbsabs

model class (MbsUniversalRod, MbsChain) UniversalRod
    "rod from a universal joint at a to a spherical joint; a subclass gives the end of the rod"
  cut (Frame) a "where the universal joint is", b "the other side"
  cut (Frame) ia "frame of the rod, its origin that of a"
  parameter ea(3)(unit="1") = [na1, na2, na3]/max(norm([na1, na2, na3]), 1e-300)
  parameter u0(3)(unit="1") = [r11, r12, r13]/max(norm([r11, r12, r13]), 1e-300)
  parameter v0(3)(unit="1") = cross(ea, u0)/max(norm(cross(ea, u0)), 1e-300) "second axis"
  local x(3)(unit="m") "end of the rod against frame a, in frame a"
  local angle1 (unit="rad"), angle2 (unit="rad") "about the two axes, from the end of the rod"
  submodel (MbsPart) part
  submodel (CutPoint) point
  submodel (CutPerpendicular) cross(na=ea, nb=v0)
  angle1 = atan2(v0'*x, cross(v0, ea)'*x)
  angle2 = atan2(norm(cross(ea, x)), ea'*x) - atan2(norm(cross(ea, u0)), ea'*u0)
  part.turn = [sin(angle1/2)*cos(angle2/2)*ea + cos(angle1/2)*sin(angle2/2)*v0 +
               sin(angle1/2)*sin(angle2/2)*cross(ea, v0);
               cos(angle1/2)*cos(angle2/2)]
  connect part at (a, ia), point at (a, ia), cross at (a, ia)
end

model class (UniversalRod) JointUPS
    "hydraulic cylinder in space: universal joint at a, a slider along the rod, spherical joint at b"
  parameter s0 (unit="m") = 0 "distance of a and b where the displacement of the slider is zero"
  cut (Frame) ib "frame of the rod in the cylinder, its origin that of b"
  cut (DriveCut) ext (s(unit="m", state=avoid), sd(unit="m/s", state=avoid),
                      sdd(unit="m/s2") / lambda(unit="N")) "displacement of the slider and force along it"
  submodel (MbsSlider) slider(n=u0)
  submodel (CutPoint) tip
  x = part.Ta'*(tip.rb - part.ra)
  sd = der(s)
  sdd = der(sd)
  slider.along.displacement = s + s0
  slider.along.force = lambda
  connect slider at (ia, ib), tip at (ib, b)
end

model class (UniversalRod, MbsRodAtAxis) JointUSR
    "rod from a universal joint at a to a spherical joint at m, and a rod from a revolute joint at b to m"
  cut (Frame) ib "frame of the rod from b, its origin that of b"
  cut (Frame) im "the same, at m"
  parameter eb(3)(unit="1") = [nb1, nb2, nb3]/max(norm([nb1, nb2, nb3]), 1e-300)
  parameter plane(3,3)(unit="1") = identity(3) - eb*eb' "projection to the plane of the rod from b"
  parameter l2(3)(unit="m") = [r21, r22, r23]
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local dp(3)(unit="m"), e(3)(unit="m"), D (unit="m2"),
        y (unit="1") "from a to b in frame b, in the plane, its square, and the place of m along it"
  local k(3)(unit="m") "from b to m in frame b"
  submodel (Bar) rod1(r1=r11, r2=r12, r3=r13), rod2(r1=r21, r2=r22, r3=r23)
  submodel (MbsHinge) turn2(n=eb)
  submodel (CutPoint) pin
  T = turn2.part.Ta'*part.Ta
  dp = turn2.part.Ta'*(turn2.part.ra - part.ra)
  e = plane*dp
  D = e'*e
  y = (([r11, r12, r13]'*[r11, r12, r13] - l2'*l2 - dp'*dp)/2 - eb'*dp*(eb'*l2))/D
  k = eb*(eb'*l2) + y*e + side*sqrt(l2'*plane*l2/D - y^2)*cross(eb, e)
  x = T'*(dp + k)
  turn2.angle = atan2(eb'*cross(l2, k), l2'*plane*k)
  connect turn2 at (b, ib), rod1:a at ia, rod2:a at ib, im at rod2:b, pin at (rod1:b, im)
end

model class (Interact) MbsTwoForce "rod that is pulled or pushed; something else gives its length"
  local f (unit="N/m") "force over length"
  fb = f*(rb - ra)
  taub = 0
end

model class (MbsRodOnSlider, MbsChain) JointSSP
    "rod with spherical joints at a and at m, and a slider that holds m along b"
  cut (Frame) a "where the rod begins", b "the other side"
  cut (Frame) ib "frame of the slider, at b in the home position"
  cut (Frame) im "the same, at m"
  cut (DriveCut) ext (s(unit="m", state=avoid), sd(unit="m/s", state=avoid),
                      sdd(unit="m/s2") / lambda(unit="N")) "displacement of the slider and force along it"
  parameter slide(3)(unit="1") = [nb1, nb2, nb3]/max(norm([nb1, nb2, nb3]), 1e-300)
  local e(3)(unit="1"), q(3)(unit="m"),
        qe (unit="m") "path of the slider; from a to m where it is at b, and along the path; in the inertial frame"
  submodel (MbsTwoForce) rod1
  submodel (MbsSlider) slider(n1=nb1, n2=nb2, n3=nb3)
  submodel (Bar) rod2(r1=r21, r2=r22, r3=r23)
  e = slider.part.Ta*slide
  q = slider.part.ra - rod1.ra + slider.part.Ta*[r21, r22, r23]
  qe = q'*e
  s = -qe + side*sqrt(qe^2 - q'*q + [r11, r12, r13]'*[r11, r12, r13])
  sd = der(s)
  sdd = der(sd)
  slider.along.displacement = s
  slider.along.force = lambda
  connect slider at (b, ib), rod2 at (ib, im), rod1 at (a, im)
end
