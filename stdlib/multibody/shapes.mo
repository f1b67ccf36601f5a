{ Shapes, which are only drawn: a part of each multibody library. }

@mbs

type Solid = (Box, Cylinder, Cone, Sphere)

model class (MbsMarker) FixedShape "solid that animations draw at a frame; it has no mass"
  parameter (Solid) solid = Solid.Box
  parameter length (unit="m") = 0.1 "along the direction n"
  parameter width (unit="m") = 0.1 "across n, the diameter of round shapes"
  parameter height (unit="m") = width "across both"
  parameter r1 (unit="m") = 0 "start of the length, center of a sphere; resolved in the frame, 1"
  parameter r2 (unit="m") = 0 "beginning, 2"
  parameter r3 (unit="m") = 0 "beginning, 3"
  parameter n1 (unit="1") = if n2 == 0 and n3 == 0 then 1 else 0 "direction of the length, 1; without any it is axis 1"
  parameter n2 (unit="1") = 0 "direction of the length, 2"
  parameter n3 (unit="1") = 0 "direction of the length, 3"
  parameter w1 (unit="1") = 0 "direction of the width, 1; without one any across n"
  parameter w2 (unit="1") = 0 "direction of the width, 2"
  parameter w3 (unit="1") = 0 "direction of the width, 3"
  parameter red (unit="1", min=0, max=1) = 0.6 "color"
  parameter green (unit="1", min=0, max=1) = 0.6 "color"
  parameter blue (unit="1", min=0, max=1) = 0.6 "color"
end

model class (MbsMarker) MeshShape "mesh from a file that animations draw at a frame; it has no mass"
  parameter (Integer) file (min=1)
            "the call mesh of the name of a file in the folder of the model or on the library path"
  parameter r1 (unit="m") = 0 "origin of the mesh, resolved in the frame, 1"
  parameter r2 (unit="m") = 0 "origin, 2"
  parameter r3 (unit="m") = 0 "origin, 3"
  parameter n1 (unit="1") = 0 "axis of the rotation from the frame to that of the mesh, 1; without any it is axis 3"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = if n1 == 0 and n2 == 0 then 1 else 0 "axis, 3"
  parameter angle (unit="rad") = 0 "angle of this rotation"
  parameter scale1 (unit="1") = 1 "length in m of one unit of the file, along its axis 1"
  parameter scale2 (unit="1") = scale1 "the same along its axis 2"
  parameter scale3 (unit="1") = scale1 "the same along its axis 3"
  parameter (Boolean) own_colors = true "draw surfaces with a color in the file in that color"
  parameter red (unit="1", min=0, max=1) = 0.6 "color of the others"
  parameter green (unit="1", min=0, max=1) = 0.6 "color of the others"
  parameter blue (unit="1", min=0, max=1) = 0.6 "color of the others"
end
