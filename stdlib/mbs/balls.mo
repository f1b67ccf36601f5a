{ Joints of three and six degrees of freedom with Euler parameters: a part of mbs.mo.

  Frame b is turned relative to frame a by an angle about a unit vector u; the Euler parameters p are
  [u*sin(angle/2); cos(angle/2)]. For (6), T = ((p4^2 - e'*e)*E + 2*e*e' - 2*p4*skew(e))/(p'*p) with e = p(1..3), and
  der(p) follows from the relative angular velocity w, resolved in frame b. Due to the quotient T is a rotation for any length of
  p, which no equation forces to be 1. These equations are not singular in any position. }

@mbs

model class (Interact) Turning
    "joint in which b turns freely; a subclass gives r, alpha and the forces through the joint"
  parameter angle1 (unit="rad") = 0 "turn at the start: first by angle1 about axis 1 of frame a"
  parameter angle2 (unit="rad") = 0 "then by angle2 about the turned axis 2"
  parameter angle3 (unit="rad") = 0 "then by angle3 about axis 3 of frame b"
  parameter w1 (unit="rad/s") = 0 "relative angular velocity at the start, resolved in frame b, 1"
  parameter w2 (unit="rad/s") = 0 "relative angular velocity, 2"
  parameter w3 (unit="rad/s") = 0 "relative angular velocity, 3"
  parameter w0(3)(unit="rad/s") = [w1, w2, w3] "all three at once"
  parameter s1 = sin(angle1/2), c1 = cos(angle1/2), s2 = sin(angle2/2), c2 = cos(angle2/2),
            s3 = sin(angle3/2),
            c3 = cos(angle3/2) "of half the angles"
  terminal p(4)(unit="1",
                start=[s1*c2*c3 + c1*s2*s3, c1*s2*c3 - s1*c2*s3, c1*c2*s3 + s1*s2*c3,
                       c1*c2*c3 - s1*s2*s3]) "Euler parameters"
  terminal w(3)(unit="rad/s", state=prefer, start=w0) "relative angular velocity, resolved in frame b"
  terminal alpha(3)(unit="rad/s2") "its derivative"
  terminal tau(3)(unit="N.m") "applied torque on b, resolved in frame b"
  local e(3)(unit="1"), square (unit="1")
  default tau = zeros(3)
  e = p(1..3)
  square = p'*p
  T = ((2*p(4)^2 - square)*identity(3) + 2*e*e' - 2*p(4)*skew(e))/square
  der(p) = [p(4)*w + cross(e, w); -e'*w]/2
  der(w) = alpha
end

model class (Turning) Spherical "spherical joint: the origins of both frames are one point"
  r = 0
  { (4f), (4g), (5c); (8a) for Phi = [E; 0] }
  vb = C*va + [w; zeros(3)]
  ab = C*aa + [alpha + cross(vb(1..3), w); zeros(3)]
  fb(1..3) = -tau
end

model class (Turning) Free "no joint: b moves freely relative to a, and only the applied force and torque pass"
  parameter x1 (unit="m") = 0 "position of b at the start, resolved in frame a, 1"
  parameter x2 (unit="m") = 0 "position, 2"
  parameter x3 (unit="m") = 0 "position, 3"
  parameter x0(3)(unit="m") = [x1, x2, x3] "all three at once"
  parameter v1 (unit="m/s") = 0 "relative velocity at the start, resolved in frame a, 1"
  parameter v2 (unit="m/s") = 0 "relative velocity, 2"
  parameter v3 (unit="m/s") = 0 "relative velocity, 3"
  parameter v0(3)(unit="m/s") = [v1, v2, v3] "all three at once"
  terminal x(3)(unit="m", start=x0) "from the origin of a to the origin of b, resolved in frame a"
  terminal v(3)(unit="m/s", start=v0) "its derivative"
  terminal f(3)(unit="N") "applied force on b in its origin, resolved in frame a"
  default f = zeros(3)
  r = x
  der(x) = v
  { (4f), (4g), (5c) }
  vb = C*va + [w; T*v]
  ab = C*aa + [alpha + cross(vb(1..3), w);
               T*(der(v) + cross(va(1..3), cross(va(1..3), r) + 2*v))]
  fb = -[tau; T*f]
end
