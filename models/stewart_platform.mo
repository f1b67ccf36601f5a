{ A Stewart platform (after Gough): six legs between a base and a platform that has six degrees of freedom. Each leg is a cylinder
  between a universal and a spherical joint; without a mass of its own, it acts by a force along its line. A controller
  extends it by a given amount. The joints are at a radius of 1 m on the base and 0.6 m on the platform, in pairs, 10 degrees beside
  multiples of 120 degrees, those of the platform turned by 60 degrees. The mechanism works with all multibody libraries. }

@mbssim

model class (LineForce) Leg "cylinder that is controlled to the length s_ref"
  parameter k (unit="N/m") = 2e5, d (unit="N.s/m") = 4e3 "of the controller"
  terminal s_ref (unit="m") "length to which it is controlled"
  f = k*(s - s_ref) + d*sd
end

model StewartPlatform
  parameter heave (unit="m") = 0.1 "by which all legs are extended, slowly"
  parameter base (unit="m") = 1, top (unit="m") = 0.6,
            height (unit="m") = 1.2 "radii of the joints, and height at the start"
  parameter half (unit="rad") = 0.17453292519943295 "half the angle between the joints of a pair"
  parameter turn (unit="rad") = 2.0943951023931953 "between the pairs"
  parameter length (unit="m") = sqrt(base^2 + top^2 - 2*base*top*cos(turn/2 - 2*half) + height^2)
            "of the legs at the start"
  submodel (Inertial) world(ng3=-1)
  submodel (Free) free(x3=height)
  submodel (Body) platform(m=80, I11=8, I22=8, I33=15)
  submodel (Bar) b(6)(r1=[base*cos(-half), base*cos(half), base*cos(turn - half),
                          base*cos(turn + half), base*cos(2*turn - half), base*cos(2*turn + half)],
                      r2=[base*sin(-half), base*sin(half), base*sin(turn - half),
                          base*sin(turn + half), base*sin(2*turn - half), base*sin(2*turn + half)])
  submodel (Bar) p(6)(r1=[top*cos(half - turn/2), top*cos(turn/2 - half), top*cos(turn/2 + half),
                          top*cos(3*turn/2 - half), top*cos(3*turn/2 + half),
                          top*cos(5*turn/2 - half)],
                      r2=[top*sin(half - turn/2), top*sin(turn/2 - half), top*sin(turn/2 + half),
                          top*sin(3*turn/2 - half), top*sin(3*turn/2 + half),
                          top*sin(5*turn/2 - half)])
  submodel (Leg) leg(6)
  connect world to free to platform
  connect b(i):a at world for i = 1..6, p(i):a at free:b for i = 1..6,
          leg(i) at (b(i):b, p(i):b) for i = 1..6
  for i = 1..6 do
    leg(i).s_ref = length + heave*(1 - cos(time))/2
  endfor
end
