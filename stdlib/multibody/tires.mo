{ Rolling on a surface z = f(x, y), and tires: a part of each multibody library.

  A class here is a force between frame a, in which the surface is fixed, and frame b, that of the sphere or wheel, which turns with it.
  The point of the surface that is touched is where its normal n leads through the nearest point of b, so that the depth changes by
  the velocity along n only, also on a curved surface. On a plane it needs no iteration. }

@mbs

model class (MbsTouch) MbsSurface
    "surface z = f(x, y), fixed in a, below the point of b in the distance arm from its origin; a subclass gives z and arm"
  parameter x0 (unit="m") = 0, y0 (unit="m") = 0 "where it is touched at the start: a guess"
  terminal x (unit="m", start=x0, state=avoid), y (unit="m", start=y0, state=avoid),
           z (unit="m") "where it is touched, in frame a"
  local slope(2)(unit="1", private, follows=jacobian(z, [x, y]))
  n = [-slope; 1]/sqrt(1 + slope'*slope)
  r + arm + depth*n - [x, y, z] = 0
end

model class (Wrench, MbsSurface) RollingSphere
    "sphere around the origin of b that rolls on a surface without sliding; a subclass gives z as a function of x and y"
  parameter radius (unit="m", min=1e-300)
  terminal N (unit="N") "force that presses b off; where it is negative, a sphere that is not held would lift off"
  local bend(2,2)(unit="1/m", private, follows=jacobian(slope, [x, y])) "second derivatives of z"
  local room(2,2)(unit="1", private) "positive definite where the sphere is rounder than the surface"
  arm = -radius*n
  depth = 0
  [1, 0, slope(1)]'*(v + cross(w, arm)) = 0
  [0, 1, slope(2)]'*(v + cross(w, arm)) = 0
  tau = cross(arm, f)
  N = n'*f
  room = identity(2) + slope*slope' - radius/sqrt(1 + slope'*slope)*bend
  assert noevent(room(1,1) > 0 and room(1,1)*room(2,2) > room(1,2)*room(2,1)),
      "the sphere does not fit into the surface: its radius must be smaller than that of the curvature"
end

model class (Wrench, MbsSurface, MbsContact, MbsSphere, MbsHuntCrossley,
             MbsRegularized) SurfaceContact
    "compliant contact of a sphere or a point, at b, with a surface; its friction never sticks; a subclass gives z"
end

model class (Wrench, MbsSurface, MbsContact, MbsThinWheel) Tire
    "tire, a thin wheel around the origin of b, on a road; a subclass gives z of the road, and cx and cy as functions of kappa, side and N"
  parameter c (unit="N/m", min=0), d (unit="N.s/m", min=0) = 0 "stiffness and damping against the road"
  parameter v_small (unit="m/s", min=1e-300) = 0.1
            "speed below which slip is a velocity over a speed that does not become zero, but half of this one"
  parameter k_x (unit="N/m", min=0) = 0,
            k_y (unit="N/m", min=0) = k_x "stiffness along and across the road; zero for a tire that is rigid there"
  constant fastest (unit="1/s") = 1e4 "rate at which an elastic tire lets go that is hardly loaded"
  terminal kappa (unit="1") "slip in the direction of rolling"
  terminal alpha (unit="rad"), side (unit="1") "slip angle, and its tangent"
  terminal cx (unit="N"), cy (unit="N") "forces over slip: fx is cx*kappa and fy is -cy*side where both are steady"
  terminal fx (unit="N"), fy (unit="N") "forces on b in the direction of rolling, and to its left"
  terminal ux (unit="m"), uy (unit="m") "elastic displacements of the tire on the road"
  local e(3)(unit="1", private), t(3)(unit="1", private), l(3)(unit="1", private)
        "axis, direction of rolling, and to its left, in frame a"
  local vx (unit="m/s"), vs (unit="m/s"), vy (unit="m/s")
        "velocity of the hub in the direction of rolling; of the tire on the road, in it and to its left"
  local speed (unit="m/s") "at least half of v_small"
  e = T'*([n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300))
  t = cross(e, n)/max(norm(cross(e, n)), 1e-9)
  l = cross(n, t)
  arm = radius*cross(e, t)
  vn = n'*vc
  near = depth
  N = if contact then noevent(max(0, c*depth - d*vn)) else 0
  vs = t'*vc
  vx = vs + radius*(e'*w)
  vy = l'*vc
  speed = noevent(if abs(vx) > v_small then abs(vx) else (vx^2 + v_small^2)/(2*v_small))
  kappa = -vs/speed
  side = vy/speed
  alpha = atan(side)
  { A spring in series with the slip, which takes energy whatever the load is. }
  if k_x > 0 then
    der(ux) = (if contact then vs else 0) - noevent(min(k_x*speed/max(cx, 1e-300), fastest))*ux
    fx = if contact then -k_x*ux else 0
  else
    ux = 0
    fx = cx*kappa
  endif
  if k_y > 0 then
    der(uy) = (if contact then vy else 0) - noevent(min(k_y*speed/max(cy, 1e-300), fastest))*uy
    fy = if contact then -k_y*uy else 0
  else
    uy = 0
    fy = -cy*side
  endif
  friction = fx*t + fy*l
  tau = cross(arm, f)
end

model class LinearSlip "law of a Tire: forces are proportional to slip up to the limit of friction"
  parameter c_kappa (unit="N", min=0) "stiffness in the direction of rolling"
  parameter c_alpha (unit="N/rad", min=0) "cornering stiffness"
  parameter mu (unit="1", min=0) = 1 "greatest force over the load N"
  local share (unit="1"), size (unit="N"), tangent (unit="1")
  size = sqrt((c_kappa*kappa)^2 + (c_alpha*alpha)^2)
  share = noevent(min(1, mu*N/max(size, 1e-15)))
  tangent = sqrt(side^2 + 1e-18)
  cx = share*c_kappa
  cy = share*c_alpha*atan(tangent)/tangent
end

model class MagicFormula
    "law of a Tire: H. B. Pacejka's magic formula D*N*sin(C*atan(B*s - E*(B*s - atan(B*s)))), s = kappa, tan(alpha), and both by similarity"
  parameter Bx (unit="1", min=0) = 10, Cx (unit="1", min=0, max=2) = 1.65, Dx (unit="1", min=0) = 1,
            Ex (unit="1", max=1) = 0 "in the direction of rolling: stiffness, shape, peak, curvature"
  parameter By (unit="1", min=0) = 10, Cy (unit="1", min=0, max=2) = 1.3, Dy (unit="1", min=0) = 1,
            Ey (unit="1", max=1) = 0 "across"
  local rho (unit="1") "size of the slip, as both directions feel it"
  rho = sqrt((Bx*kappa)^2 + (By*side)^2 + 1e-18)
  cx = N*Dx*sin(Cx*atan(rho - Ex*(rho - atan(rho))))/rho*Bx
  cy = N*Dy*sin(Cy*atan(rho - Ey*(rho - atan(rho))))/rho*By
end

model class (Tire, LinearSlip) LinearTire
    "tire on the plane z = 0 whose forces are proportional to slip up to the limit of friction"
  z = 0
end

model class (Tire, MagicFormula) PacejkaTire "tire on the plane z = 0 with H. B. Pacejka's magic formula"
  z = 0
end
