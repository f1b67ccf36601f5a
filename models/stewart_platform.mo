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
  parameter half (unit="rad", display="deg") = 10 deg "half the angle between the joints of a pair"
  parameter turn (unit="rad", display="deg") = 120 deg "between the pairs"
  parameter foot(6)(unit="rad", display="deg") = [-half, half, turn - half, turn + half,
                                                  2*turn - half,
                                                  2*turn + half] "directions of the joints on the base"
  parameter ball(6)(unit="rad", display="deg") = [half - turn/2, turn/2 - half, turn/2 + half,
                                                  3*turn/2 - half,
                                                  3*turn/2 + half, 5*turn/2 - half] "and on the platform"
  parameter length (unit="m") = sqrt(base^2 + top^2 - 2*base*top*cos(turn/2 - 2*half) + height^2)
            "of the legs at the start"
  submodel (Inertial) world(ng3=-1)
  submodel (Free) free(x3=height)
  submodel (Body) platform(m=80, I11=8, I22=8, I33=15)
  submodel (Bar) b(6)(r1=base*cos(foot), r2=base*sin(foot)),
                 p(6)(r1=top*cos(ball), r2=top*sin(ball))
  submodel (Leg) leg(6)
  connect world to free to platform
  connect b(i):a at world for i = 1..6, p(i):a at free:b for i = 1..6, leg(:) at (b(:):b, p(:):b)
  leg.s_ref = ones(6)*(length + heave*(1 - cos(time))/2)
end
