{ Elastic beams after Euler and Bernoulli: a part of each multibody library. }

@mbs

model class (Assembly) MbsBeam "straight beam from a to b, and its section"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
  parameter w1 (unit="1") = 0 "direction across the beam, towards which it bends, 1"
  parameter w2 (unit="1") = 0 "direction, 2"
  parameter w3 (unit="1") = 0 "direction, 3"
  parameter (Boolean) planar = false "true: it bends towards w only, and does not twist"
  parameter density (unit="kg/m3", min=0) = 7700
  parameter area (unit="m2", min=1e-300) "of the section"
  parameter E (unit="Pa", min=1e-300) = 2.1e11 "modulus of elasticity"
  parameter I (unit="m4", min=1e-300) "second moment of area for bending towards w"
  parameter Ih (unit="m4", min=1e-300) = I "the same for bending across w"
  parameter G (unit="Pa", min=1e-300) = E/2.6 "shear modulus"
  parameter Jt (unit="m4", min=1e-300) = I + Ih "torsion constant"
  parameter damping (unit="s", min=0) = 0 "damping over stiffness"
  parameter l (unit="m") = sqrt(r1^2 + r2^2 + r3^2) "length"
  assert l > 0, "the beam has no length: one of r1, r2, r3 must not be zero"
  parameter e(3)(unit="1") = [r1, r2, r3]/max(l, 1e-300),
            s(3)(unit="1") = cross(e, [w1, w2, w3])
  assert norm(s) > 0, "the beam has no direction to bend to: w must not be zero, nor along r"
  parameter h(3)(unit="1") = s/max(norm(s), 1e-300),
            u(3)(unit="1") = cross(h, e) "axis of bending towards w, and this direction"
end

{ --- finite segments --- }

function lengths_of_pieces((Integer) segments) result part(2*segments + 1)
    "of rigid pieces between hinges, over the length of the beam, with two hinges in Gauss points of each segment"
  constant g = 0.5773502691896258
  for k = 1..2*segments + 1 do
    part(k) := (if mod(k, 2) < 0.5 then g else 1 - g)/segments
  endfor
  part(1) := (1 - g)/(2*segments)
  part(2*segments + 1) := (1 - g)/(2*segments)
end

model class (Assembly) MbsPiece "rigid piece of a beam"
  parameter part (unit="1") "of the length of the beam"
  parameter d(3)(unit="m"), e(3)(unit="1"), u(3)(unit="1") "the beam, and its directions"
  parameter m (unit="kg"), polar (unit="kg.m2") "mass of the beam, and inertia about its axis"
  parameter width (unit="m"), height (unit="m")
  parameter J(3,3)(unit="kg.m2") = part*(m*part^2*(d'*d)/12*(identity(3) - e*e') + polar*e*e')
  submodel (Bar) bar(r=part*d)
  submodel (Body) body(m=part*m, r=part/2*d, I=J, any_inertia=true)
  submodel (FixedShape) shape(length=part*norm(d), width=width, height=height, n=e, w=u)
  connect a to bar to b, body at a, shape at a
end

model class (JointN) MbsBend "hinge of a beam that bends in two directions and twists"
  parameter e(3)(unit="1"), u(3)(unit="1"), h(3)(unit="1"),
            c(3)(unit="N.m/rad"), damping (unit="s")
  parameter n = 3
  T = (e*e' + (identity(3) - e*e')*cos(q(3)) - skew(e)*sin(q(3)))*
      ((u*u' + (identity(3) - u*u')*cos(q(2)) + skew(u)*sin(q(2)))*
       (h*h' + (identity(3) - h*h')*cos(q(1)) - skew(h)*sin(q(1))))
  r = 0
  default lambda = -diagonal(c)*(q + damping*qd)
end

model class (Assembly) MbsBeamHinge "elastic hinge of a beam"
  parameter (Boolean) planar
  parameter e(3)(unit="1"), u(3)(unit="1"), h(3)(unit="1"),
            c(3)(unit="N.m/rad"), damping (unit="s")
  submodel (Revolute) turn(n=h) if planar
  submodel (JointSpringDamper) spring(c=c(1), d=damping*c(1)) if planar
  submodel (MbsBend) bend(e=e, u=u, h=h, c=c, damping=damping) if not planar
  if planar then
    connect a to turn to b, spring at turn:ext
  else
    connect a to bend to b
  endif
end

model class (MbsBeam) SegmentBeam "beam of rigid pieces with elastic hinges"
  parameter (Integer) segments (min=1) = 8 "each has two hinges"
  submodel (MbsPiece) piece(2*segments + 1)(part=lengths_of_pieces(segments), d=l*e, e=e, u=u,
                                            m=density*area*l, polar=density*(I + Ih)*l,
                                            width=sqrt(12*I/area), height=sqrt(12*Ih/area))
  submodel (MbsBeamHinge) hinge(2*segments)(planar=planar, e=e, u=u, h=h, damping=damping,
                                            c=2*segments/l*[E*I, E*Ih, G*Jt])
  connect a to piece(1), piece(2*segments + 1) to b,
          piece(k) to hinge(k) to piece(k + 1) for k = 1..2*segments
end
