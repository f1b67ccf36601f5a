{ Contacts of convex shapes with planes and with each other: a part of each multibody library.

  A shape is a set of points, widened by a box along the axes of its frame and by a sphere, so that primitives, hulls and their
  contacts with each other are one class. convex.c finds the points that touch, and sums their forces. }

@mbs

external function hull_on_plane(n(3), B(:,:), (Integer) nb, box(3), rb, T(3,3), r(3), v(3), w(3),
                                law(5), stretch(3)) result F(12) "c:convex.c"

external function hull_on_hull(A(:,:), (Integer) na, box_a(3), ra, B(:,:), (Integer) nb, box_b(3),
                               rb,
                               reach, T(3,3), r(3), v(3), w(3), law(5), stretch(3)) result F(12) "c:convex.c"

external function hull_distance(A(:,:), (Integer) na, box_a(3), ra, B(:,:), (Integer) nb, box_b(3),
                                rb, T(3,3), r(3)) result z(7) "c:convex.c"

function rounded_box(size(3), radius) result box(3)
    "lengths of a box without its rounded edges; one below a millionth of the size is rounding"
  for k = 1..3 do
    box(k) := if size(k) - 2*radius > 1e-6*size(k) then size(k) - 2*radius else 0
  endfor
end

function reach_of(points(:,:), box(3), radius) result d "the greatest distance of a point of a shape from its origin"
  d := 0
  for k = 1..size(points, 1) do
    d := max(d, norm(points(k, :)))
  endfor
  d := d + norm(box)/2 + radius
end

model class MbsShapeA "shape at a: without parameters a sphere of 1 mm"
  parameter size_a(3)(unit="m", min=0) = zeros(3) "lengths of a box along the axes of a, at least 2*radius_a"
  parameter radius_a (unit="m", min=0) = if min(size_a) > 0 then 0.01*min(size_a) else 1e-3
            "of a sphere; of a capsule, a box with one size; of the edges of a box or hull"
  parameter (Integer) corners_a (max=64) = 1 "number of points"
  parameter points_a(corners_a, 3)(unit="m") = zeros(corners_a, 3) "of a hull, or the center of the box, in a"
  parameter box_a(3)(unit="m") = rounded_box(size_a, radius_a) "without the edges"
  assert corners_a <= 8 or corners_a <= 64 and max(size_a) == 0,
      "a shape has at most 64 points, and 8 with a size"
end

model class MbsShapeB "shape at b: without parameters a sphere of 1 mm"
  parameter size_b(3)(unit="m", min=0) = zeros(3) "lengths of a box along the axes of b, at least 2*radius_b"
  parameter radius_b (unit="m", min=0) = if min(size_b) > 0 then 0.01*min(size_b) else 1e-3
            "of a sphere; of a capsule, a box with one size; of the edges of a box or hull"
  parameter (Integer) corners_b (max=64) = 1 "number of points"
  parameter points_b(corners_b, 3)(unit="m") = zeros(corners_b, 3) "of a hull, or the center of the box, in b"
  parameter box_b(3)(unit="m") = rounded_box(size_b, radius_b) "without the edges"
  assert corners_b <= 8 or corners_b <= 64 and max(size_b) == 0,
      "a shape has at most 64 points, and 8 with a size"
end

model class (MbsCompliance, MbsSliding) MbsPressed
    "force and torque on b of all points that touch; a subclass gives what is found"
  terminal N (unit="N") "force that presses b off, along the normal"
  terminal energy (unit="J") "elastic energy"
  terminal depth (unit="m") "greatest penetration; negative while nothing touches"
  terminal (Boolean) contact (start=false)
  constant rounding (unit="m") = 1e-8 "a contact begins here: shapes that fall side by side may touch by less"
  terminal stretch(3) "of friction: direction and share of what it holds without sliding"
  local found(12)(private) "the law of Hunt and Crossley with friction that sticks elastically, at each point"
  [f; tau] = found(1..6)
  N = found(7)
  energy = found(8)
  depth = found(9)
  der(stretch) = found(10..12)
  new(contact) = depth - (if contact then 0 else rounding) > 0
  when not contact then
    init(stretch) = zeros(3)
  endwhen
end

model class (Wrench, MbsShapeB, MbsPressed) PlaneCollision
    "contact of a box, sphere, capsule or hull, at b, with a plane through the origin of a"
  parameter n1 (unit="1") = 0, n2 (unit="1") = 0,
            n3 (unit="1") = if n1 == 0 and n2 == 0 then 1 else 0 "normal of the plane to the side of b, resolved in a"
  found = hull_on_plane([n1, n2, n3]/norm([n1, n2, n3]), points_b, corners_b, box_b, radius_b, T, r,
                        v,
                        w, [c, d, exponent, mu, v_small], stretch)
end

model class (Wrench, MbsShapeA, MbsShapeB, MbsPressed) Collision
    "contact of two boxes, spheres, capsules or hulls, at a and b"
  parameter reach (unit="m") = reach_of(points_a, box_a, radius_a) +
            reach_of(points_b, box_b, radius_b)
            "distance of the origins from which on no points are searched"
  found = hull_on_hull(points_a, corners_a, box_a, radius_a, points_b, corners_b, box_b, radius_b,
                       reach, T, r, v, w, [c, d, exponent, mu, v_small], stretch)
end

model class (Wrench, MbsShapeA, MbsShapeB) Clearance
    "distance of two boxes, spheres, capsules or hulls, at a and b: obstacles in the way of a mechanism"
  terminal distance (unit="m") "negative while they overlap: by how much"
  terminal pa(3)(unit="m"), pb(3)(unit="m") "nearest points of both, in frame a"
  terminal (Boolean) touching
  f = 0
  tau = 0
  [distance; pa; pb] = hull_distance(points_a, corners_a, box_a, radius_a, points_b, corners_b,
                                     box_b, radius_b, T, r)
  touching = distance <= 0
end
