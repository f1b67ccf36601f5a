{ A gripper closes on an object, lifts it by friction and holds it. The fingers hold it up to the acceleration a if the closing
  force F is at least m*(g + a)/(2*mu). }

@mbssim
@sources

model Gripper "two fingers that close on an object of 0.3 kg and lift it"
  parameter F (unit="N", min=0) = 4 "closing force of each finger"
  parameter mu (unit="1", min=0) = 0.6 "friction between a finger and the object"
  parameter half (unit="m") = 20 mm "half the width of the object"
  submodel (Inertial) world(ng3=-1)
  submodel (Prismatic) lift(n3=1), left(n1=1, q0=-40 mm),
                       right(n1=1, q0=40 mm) "of the hand; of the fingers in the hand"
  submodel (Body) hand(m=1), finger(2)(m=0.1), object(m=0.3, I=1e-4*identity(3))
  submodel (Free) free "the object moves freely"
  submodel (Motion) up
  submodel (KinematicPTP) way(q1=0.2, v_max=0.5, a_max=2, t0=1)
  submodel (JointForce) close(2)
  submodel (JointDamper) guide(2)(d=5)
  submodel (FixedShape) palm(length=0.16, width=0.03, height=0.03, r1=-0.08, r3=0.05),
                        pin(2)(length=0.07, width=0.03, height=0.01, r3=-0.02, n3=1, w2=1),
                        block(length=2*half, width=0.04, height=0.04, r1=-half, red=0.8, green=0.5,
                              blue=0.2)
  submodel (Bar) side(2)(r1=[-half, half])
  submodel (PlaneStickSlip) pad(2)(n1=[1, -1], c=5e5, d=1, exponent=1.5, mu=mu, ct=1e5, dt=50),
                            table(n3=1, c=1e6, d=1, mu=mu, ct=1e5, dt=50)
  connect world to lift to hand, lift:b to left to finger(1), lift:b to right to finger(2),
          world to free to object,
          side(1):a at free:b, side(2):a at free:b, pad(1) at (left:b, side(1):b),
          pad(2) at (right:b, side(2):b),
          table at (world, free:b), up at lift:ext, close(1) at left:ext, close(2) at right:ext,
          guide(1) at left:ext, guide(2) at right:ext, palm at lift:b, pin(1) at left:b,
          pin(2) at right:b, block at free:b
  up.q_ref = way.q
  close.f = if time < 0.2 then [0, 0] else [F, -F]
  experiment (stop=2, points=201)
end
