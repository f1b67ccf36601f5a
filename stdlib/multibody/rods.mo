{ Parameters of assemblies that close a loop: a part of each multibody library. A class here is a superclass next to one of the
  formulation. }

@mbs

model class MbsRods "parameters of two rods"
  parameter n1 (unit="1") = 0 "axis of all revolute joints, 1"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = 0 "axis, 3"
  parameter r11 (unit="m") = 0 "rod 1, from a to m in the home position, 1"
  parameter r12 (unit="m") = 0 "rod 1, 2"
  parameter r13 (unit="m") = 0 "rod 1, 3"
  parameter r21 (unit="m") = 0 "from b to m in the home position, 1"
  parameter r22 (unit="m") = 0 "from b to m, 2"
  parameter r23 (unit="m") = 0 "from b to m, 3"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
end

model class MbsRodSlider "parameters of a slider that holds a rod in a plane"
  parameter nb1 (unit="1") = 0 "direction in which the slider moves, fixed in b, perpendicular to n, 1"
  parameter nb2 (unit="1") = 0 "direction, 2"
  parameter nb3 (unit="1") = 0 "direction, 3"
  parameter side (unit="1") = sign([r11, r12, r13]'*[nb1, nb2, nb3])
            "1: m is ahead of the foot of the perpendicular from a to the path of the slider, -1: behind it"
  assert norm([nb1, nb2, nb3]) > 0,
      "the slider has no direction: one of nb1, nb2, nb3 must not be zero"
end

model class MbsCylinder "parameters of a cylinder between two revolute joints"
  parameter n1 (unit="1") = 0 "axis of both revolute joints, 1"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = 0 "axis, 3"
  parameter r11 (unit="1") = 0 "direction from a to b in the home position, 1"
  parameter r12 (unit="1") = 0 "direction, 2"
  parameter r13 (unit="1") = 0 "direction, 3"
  parameter s0 (unit="m") = 0 "distance of the axes where the displacement of the slider is zero"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  assert norm(cross([n1, n2, n3], [r11, r12, r13])) > 0,
      "the cylinder has no direction across the axis: give r11, r12 or r13"
end

model class MbsUniversalRod "parameters of a rod from a universal joint"
  parameter na1 (unit="1") = 0 "first axis of the universal joint, fixed in a, 1"
  parameter na2 (unit="1") = 0 "first axis, 2"
  parameter na3 (unit="1") = 0 "first axis, 3"
  parameter r11 (unit="m") = 0 "rod from a to the other end in the home position, 1"
  parameter r12 (unit="m") = 0 "rod, 2"
  parameter r13 (unit="m") = 0 "rod, 3"
  assert norm([na1, na2, na3]) > 0,
      "the first axis has no direction: one of na1, na2, na3 must not be zero"
  assert norm(cross([na1, na2, na3], [r11, r12, r13])) > 0,
      "the rod has no direction across the first axis: give r11, r12 or r13"
end

model class MbsRodAtAxis "parameters of a rod from a revolute joint"
  parameter nb1 (unit="1") = 0 "axis of the revolute joint, fixed in b, 1"
  parameter nb2 (unit="1") = 0 "axis of the revolute joint, 2"
  parameter nb3 (unit="1") = 0 "axis of the revolute joint, 3"
  parameter r21 (unit="m") = 0 "from b to m in the home position, 1"
  parameter r22 (unit="m") = 0 "from b to m, 2"
  parameter r23 (unit="m") = 0 "from b to m, 3"
  parameter side (unit="1") = sign([nb1, nb2, nb3]'*cross([r11, r12, r13], [r21, r22, r23]))
            "on which side of the plane through a and the revolute axis m is: 1 or -1; as in the home position"
  assert norm([nb1, nb2, nb3]) > 0,
      "the revolute axis has no direction: one of nb1, nb2, nb3 must not be zero"
end

model class MbsRodOnSlider "parameters of a rod on a slider"
  parameter nb1 (unit="1") = 0 "direction in which the slider moves, fixed in b, 1"
  parameter nb2 (unit="1") = 0 "direction, 2"
  parameter nb3 (unit="1") = 0 "direction, 3"
  parameter r11 (unit="m") = 0 "rod from a to m in the home position, 1"
  parameter r12 (unit="m") = 0 "rod, 2"
  parameter r13 (unit="m") = 0 "rod, 3"
  parameter r21 (unit="m") = 0 "from b to m in the home position, 1"
  parameter r22 (unit="m") = 0 "from b to m, 2"
  parameter r23 (unit="m") = 0 "from b to m, 3"
  parameter side (unit="1") = sign([r11, r12, r13]'*[nb1, nb2, nb3])
            "1: m is ahead of the foot of the perpendicular from a to the path of the slider, -1: behind it"
  assert norm([nb1, nb2, nb3]) > 0,
      "the slider has no direction: one of nb1, nb2, nb3 must not be zero"
end
