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
  parameter (Boolean) stretches = false "true: it stretches along its axis, too"
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

function beam_pieces((Integer) segments) result part(2*segments + 1)
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
  parameter m (unit="kg"), S(3,3)(unit="kg.m2") "mass of the beam, and inertia of its sections"
  parameter width (unit="m"), height (unit="m")
  parameter J(3,3)(unit="kg.m2") = part*(part^2*m/12*(d'*d)*(identity(3) - e*e') + S)
  submodel (Bar) bar(r=part*d)
  submodel (Body) body(m=part*m, r=part/2*d, I11=J(1,1), I22=J(2,2), I33=J(3,3), I21=J(2,1),
                       I31=J(3,1), I32=J(3,2))
  submodel (FixedShape) shape(length=part*norm(d), width=width, height=height, n=e, w=u)
  connect a to bar to b, body at a, shape at a
end

function beam_turn(n(3), angle) result T(3,3) "direction cosines of a frame that is turned about the unit vector n"
  T := n*n' + (identity(3) - n*n')*cos(angle) - skew(n)*sin(angle)
end

model class (JointN) MbsBend "hinge of a beam that bends in two directions and twists"
  parameter e(3)(unit="1"), u(3)(unit="1"), h(3)(unit="1"),
            c(3)(unit="N.m/rad"), damping (unit="s")
  parameter n = 3
  T = beam_turn(e, q(3))*(beam_turn(-u, q(2))*beam_turn(h, q(1)))
  r = 0
  submodel (JointState) state(n)
  default lambda = -diagonal(c)*(q + damping*qd)
  connect state(k) at coordinate(k) for k = 1..n
end

model class (Assembly) MbsBeamHinge "elastic hinge of a beam"
  parameter (Boolean) planar, stretches
  parameter e(3)(unit="1"), u(3)(unit="1"), h(3)(unit="1"),
            c(3)(unit="N.m/rad"), axial (unit="N/m"), damping (unit="s")
  submodel (Revolute) turn(n=h) if planar
  submodel (JointSpringDamper) spring(c=c(1), d=damping*c(1)) if planar
  submodel (MbsBend) bend(e=e, u=u, h=h, c=c, damping=damping) if not planar
  submodel (Prismatic) slide(n=e) if stretches
  submodel (JointSpringDamper) bar(c=axial, d=damping*axial) if stretches
  submodel (JointState) bent if planar, drawn if stretches
  if planar then
    connect a to turn, spring at turn:ext, bent at turn:ext
  else
    connect a to bend
  endif
  if not stretches then
    connect turn to b, bend to b
  else
    connect turn to slide to b, bend to slide:a, bar at slide:ext, drawn at slide:ext
  endif
end

model class (MbsBeam) SegmentBeam "beam of rigid pieces with elastic hinges"
  parameter (Integer) segments (min=1) = 8 "each has two hinges"
  submodel (MbsPiece) piece(2*segments + 1)(part=beam_pieces(segments), d=l*e, e=e, u=u,
                                            m=density*area*l,
                                            S=density*l*(I*(h*h') + Ih*(u*u') + (I + Ih)*(e*e')),
                                            width=sqrt(12*I/area), height=sqrt(12*Ih/area))
  submodel (MbsBeamHinge) hinge(2*segments)(planar=planar, stretches=stretches,
                                            axial=2*segments*E*area/l, e=e, u=u, h=h,
                                            damping=damping,
                                            c=2*segments/l*[E*I, E*Ih, G*Jt])
  connect a to piece(1), piece(2*segments + 1) to b,
          piece(k) to hinge(k) to piece(k + 1) for k = 1..2*segments
end

{ --- modes --- }

function beam_points((Integer) n) result z(n, 2) "points between 0 and 1 and weights of the quadrature of n points"
  local x, step, p, before, older, slope
  for k = 1..n do
    x := cos(3.141592653589793*(k - 0.25)/(n + 0.5))
    step := 1
    slope := 1
    while abs(step) > 1e-15 do
      p := x
      before := 1
      for i = 2..n do
        older := before
        before := p
        p := ((2*i - 1)*x*before - (i - 1)*older)/i
      endfor
      slope := n*(x*p - before)/(x^2 - 1)
      step := p/slope
      x := x - step
    endwhile
    z(k, 1) := (1 - x)/2
    z(k, 2) := 1/((1 - x^2)*slope^2)
  endfor
end

function beam_wave_number((Integer) k) result beta "the k-th positive root of cos(x)*cosh(x) = 1"
  local step = 1
  beta := (k + 0.5)*3.141592653589793
  while abs(step) > 1e-14*beta do
    step := (cos(beta) - 1/cosh(beta))/(sinh(beta)/cosh(beta)^2 - sin(beta))
    beta := beta - step
  endwhile
end

function beam_shape((Integer) k, x) result y(2)
    "shape k of a beam from 0 to 1 and its slope at x: deflection and slope 1 of the end, and normal modes with both ends clamped"
  local beta, s
  if k == 1 then
    y := [x^2*(3 - 2*x), 6*x*(1 - x)]
  elseif k == 2 then
    y := [x^2*(x - 1), x*(3*x - 2)]
  else
    { cosh(beta*x) - cos(beta*x) - (1 - s)*(sinh(beta*x) - sin(beta*x)) }
    beta := beam_wave_number(k - 2)
    s := (cos(beta) - sin(beta) - exp(-beta))/(sinh(beta) - sin(beta))
    y := [s/2*exp(beta*x) + (1 - s/2)*exp(-beta*x) - cos(beta*x) + (1 - s)*sin(beta*x),
          beta*(s/2*exp(beta*x) - (1 - s/2)*exp(-beta*x) + sin(beta*x) + (1 - s)*cos(beta*x))]
  endif
end

function beam_deflections((Integer) m, (Integer) points) result f(points, m) "of each shape in each point"
  local z(points, 2) = beam_points(points), y(2)
  for k = 1..points do
    for i = 1..m do
      y := beam_shape(i, z(k, 1))
      f(k, i) := y(1)
    endfor
  endfor
end

function beam_shortenings((Integer) m, (Integer) points) result H((points + 1)*m, m)
    "integrals of slope times slope from the start to each point, and to the end"
  constant (Integer) inner = 8
  local z(points, 2) = beam_points(points), w(inner, 2) = beam_points(inner)
  local slope(m), y(2), total(m, m) = zeros(m, m), before = 0, next
  for k = 1..points + 1 do
    if k <= points then
      next := z(k, 1)
    else
      next := 1
    endif
    for g = 1..inner do
      for i = 1..m do
        y := beam_shape(i, before + (next - before)*w(g, 1))
        slope(i) := y(2)
      endfor
      total := total + (next - before)*w(g, 2)*slope*slope'
    endfor
    before := next
    H((k - 1)*m + 1..k*m, :) := total
  endfor
end

function beam_stiffnesses((Integer) m) result K(m, m) "integrals of curvature times curvature"
  K := zeros(m, m)
  K(1,1) := 12
  K(1,2) := -6
  K(2,1) := -6
  K(2,2) := 4
  for i = 3..m do
    K(i, i) := beam_wave_number(i - 2)^4
  endfor
end

function beam_selection((Integer) rows, (Integer) n, (Integer) before) result A(rows, n)
    "A*q are the elements of q after these, or zeros if before is negative"
  A := zeros(rows, n)
  if before >= 0 then
    for i = 1..rows do
      A(i, before + i) := 1
    endfor
  endif
end

function beam_square_roots(x(:)) result y(size(x, 1)) "square root of each element"
  for k = 1..size(x, 1) do
    y(k) := sqrt(x(k))
  endfor
end

model class (FlexibleBody) MbsModes "beam of particles in Gauss points, which move by shape functions"
  parameter (Boolean) planar, stretches
  parameter e(3)(unit="1"), u(3)(unit="1"), h(3)(unit="1"), l (unit="m"), damping (unit="s")
  parameter mass (unit="kg"), polar (unit="kg.m2") "of the beam, about its axis"
  parameter EI (unit="N.m2"), EIh (unit="N.m2"), GJt (unit="N.m2"), EA (unit="N")
  parameter (Integer) m "number of shapes in each direction"
  parameter slope (unit="1") "greatest one at b"
  parameter (Integer) points = m + 3, bending = if planar then m else 2*m + 1
  parameter n = bending + (if stretches then 1 else 0)
  parameter xi(points, 2) = beam_points(points)
  parameter f(points, m) = beam_deflections(m, points),
            H((points + 1)*m, m) = beam_shortenings(m, points)/l,
            K(m, m) = beam_stiffnesses(m)/l^3
  parameter root(points) = beam_square_roots(mass*xi(:,2))
  parameter Y(m, n) = beam_selection(m, n, 0),
            Z(m, n) = beam_selection(m, n, if planar then -1 else m)
  parameter t(1, n) = beam_selection(1, n, if planar then -1 else 2*m),
            s(1, n) = beam_selection(1, n, if stretches then bending else -1)
  submodel (JointState) state(n)
  local y(m), yd(m), z(m),
        zd(m)
        "coordinates of the deflections towards u and h, in m: deflection and slope times l at b, and those of the modes"
  local particles(3*points)(unit="m") "their positions, resolved in frame a"
  local P(3*points, 6), S(3*points, n),
        g(3*points) "P*aa + S*qdd + g are their accelerations times the roots of their masses"
  local Hy(m, points + 1), Hz(m, points + 1) "derivatives of the shortening by y and z"
  assert noevent(y(2)^2 + z(2)^2 < (slope*l)^2),
      "the slope of the beam at b exceeds its limit: ModalBeam is for small deflections; take a SegmentBeam, several beams one after the other, or a greater value of 'slope'"
  y = Y*q
  yd = Y*qd
  z = Z*q
  zd = Z*qd
  for k = 1..points do
    particles(3*k - 2..3*k) = e*(xi(k, 1)*(l + s*q) - (y'*Hy(:, k) + z'*Hz(:, k))/2) +
                              u*(f(k, :)'*y) +
                              h*(f(k, :)'*z)
    P(3*k - 2..3*k, :) = root(k)*[-skew(particles(3*k - 2..3*k)), identity(3)]
    S(3*k - 2..3*k, :) = root(k)*(e*(xi(k, 1)*s - Hy(:, k)'*Y - Hz(:, k)'*Z) + u*(f(k, :)'*Y) +
                                  h*(f(k, :)'*Z))
    g(3*k - 2..3*k) = root(k)*(cross(omega, cross(omega, particles(3*k - 2..3*k))) -
                               e*(yd'*(H((k - 1)*m + 1..k*m, :)*yd) +
                                  zd'*(H((k - 1)*m + 1..k*m, :)*zd))) +
                      2*cross(omega, S(3*k - 2..3*k, :)*qd)
  endfor
  for k = 1..points + 1 do
    Hy(:, k) = H((k - 1)*m + 1..k*m, :)*y
    Hz(:, k) = H((k - 1)*m + 1..k*m, :)*z
  endfor
  { The inertia of the sections about the axis turns with frame a, and with the twist, which grows along the beam. }
  Irr = P'*P + polar*([e; zeros(3)]*[e; zeros(3)]')
  Irq = P'*S + polar/2*[e; zeros(3)]*t
  Iqq = S'*S + polar/3*(t'*t)
  br = P'*g + polar*(omega'*e + t*qd/2)*[cross(omega, e); zeros(3)]
  bq = S'*g
  T = beam_turn(e, t*q)*(beam_turn(-u, z(2)/l)*beam_turn(h, y(2)/l))
  r = e*(l + s*q - (y'*Hy(:, points + 1) + z'*Hz(:, points + 1))/2) + u*y(1) + h*z(1)
  default lambda = -(EI*Y'*(K*(y + damping*yd)) + EIh*Z'*(K*(z + damping*zd)) +
                     (GJt/l*(t'*t) + EA/l*(s'*s))*(q + damping*qd))
  { The shape at the start holds, also in a loop. }
  connect state(k) at coordinate(k) for k = 1..n
end

model class (MbsBeam) ModalBeam "beam with shapes of deflection"
  parameter (Integer) modes (min=1) = 3
            "normal modes in each direction, in addition to the deflection and the slope at b"
  parameter slope (unit="1") = 0.3 "greatest slope of b against a; forces are wrong by about its square"
  submodel (MbsModes) body(m=modes + 2, slope=slope, planar=planar, stretches=stretches, e=e, u=u,
                           h=h, l=l,
                           mass=density*area*l, polar=density*(I + Ih)*l, EI=E*I, EIh=E*Ih,
                           GJt=G*Jt, EA=E*area, damping=damping)
  connect a to body to b
end
