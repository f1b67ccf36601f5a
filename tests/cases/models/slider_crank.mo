{ A crank, a connecting rod and a slider: three coordinates, two constraints, index 3. The example idaSlCrank of SUNDIALS (R. Serban), which
  takes the stabilized form of Gear, Gupta and Leimkuhler; here the constraints stand alone. }

model SliderCrank
  parameter a = 0.5 "half the length of the crank"
  parameter J1 = 1, J2 = 2, m2 = 1 "moments of inertia of crank and rod, mass of the rod"
  parameter k = 1, c = 1, l0 = 1 "spring and damper between the middles of crank and rod"
  parameter F = 1 "force on the slider"
  constant pi = 3.14159265358979323846
  local q (start=pi/2) "angle of the crank"
  local p (start=-pi/6, fixed=false) "angle of the rod, which follows"
  local x "place of the slider"
  local qd, pd, xd "velocities"
  local lam1, lam2 "multipliers of the constraints"
  local l, ld, f "length of the spring, its derivative, force over length"
  qd = der(q)
  pd = der(p)
  xd = der(x)
  x = cos(p) + a*cos(q)
  0 = sin(p) + a*sin(q)
  l = sqrt(x^2 - x*(cos(p) + a*cos(q)) + (1 + a^2)/4 + a*cos(p - q)/2)
  2*l*ld = 2*x*xd - xd*(cos(p) + a*cos(q)) + x*(sin(p)*pd + a*sin(q)*qd) - a*sin(p - q)*(pd - qd)/2
  f = (k*(l - l0) + c*ld)/l
  J1*der(qd) = -f*a*(sin(p - q)/2 + x*sin(q))/2 - a*sin(q)*lam1 + a*cos(q)*lam2
  m2*der(xd) = f*(cos(p)/2 - x + a*cos(q)/2) + F - lam1
  J2*der(pd) = -f*(x*sin(p) - a*sin(p - q)/2)/2 - F*sin(p) - sin(p)*lam1 + cos(p)*lam2
end
