{ A leg of a quadruped lands: its share of the trunk falls along a vertical guide, and motors at hip and knee hold the
  angles of its stance like springs with dampers. The foot is a sphere that sticks on the ground or slides. }

@mbssim

model QuadrupedLeg "a leg with two joints falls from 0.3 m and lands"
  parameter l (unit="m") = 0.25 "length of thigh and shank"
  parameter hip0 (unit="rad") = 0.7, knee0 (unit="rad") = -1.4 "angles of the stance: the foot is below the hip"
  parameter height (unit="m") = 0.7 "of the hip at the start"
  parameter kp (unit="N.m/rad") = 80, kd (unit="N.m.s/rad") = 2 "gains of the controllers"
  parameter sole (unit="m") = 20 mm, mu = 0.8 "radius of the foot, friction on the ground"
  submodel (Inertial) world(ng3=-1)
  submodel (Prismatic) guide(n3=1, q0=height)
  submodel (Revolute) hip(n2=1, q0=hip0), knee(n2=1, q0=knee0)
  submodel (Bar) thigh(r3=-l), shank(r3=-l)
  submodel (Body) trunk(m=3), upper(m=0.6, r3=-l/2, I11=0.0032, I22=0.0032),
                  lower(m=0.2, r3=-l/2, I11=0.0011, I22=0.0011)
  submodel (JointForce) motor(2)
  submodel (PlaneStickSlip) ground(n3=1, radius=sole, c=1e6, d=0.2, exponent=1.5, mu=mu, ct=5e4,
                                   dt=40)
  submodel (FixedShape) box(length=0.16, width=0.12, height=0.06, r1=-0.08),
                        rod(2)(length=l, width=0.03, n1=0, n3=-1)
  submodel (FixedShape) foot(solid=Solid.Sphere, length=2*sole, width=2*sole, red=0.2, green=0.2,
                             blue=0.2)
  local tau(2)(unit="N.m") "torques of the motors"
  local work(2)(unit="J", start=0) "of the motors, and of the ground on the foot"
  connect world to guide to hip to thigh to knee to shank, trunk at guide:b, upper at hip:b,
          lower at knee:b, motor(1) at hip:ext, motor(2) at knee:ext, ground at (world, shank:b),
          box at guide:b, rod(1) at hip:b, rod(2) at knee:b, foot at shank:b
  tau = kp*[hip0 - hip.q, knee0 - knee.q] - kd*[hip.qd, knee.qd]
  motor.f = tau
  der(work) = [tau'*[hip.qd, knee.qd], ground.f'*ground.v + ground.tau'*ground.w]
  experiment (stop=1.5, points=1501, rtol=1e-8, atol=1e-9)
end
