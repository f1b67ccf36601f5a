{ A double pendulum with a damped spring between its end and a fixed point. Text in braces is a comment. }

{ Include a library of multibody systems: its classes are the parts of the model. `cutset classes mbssim` lists them. }
@mbssim

model NAME "double pendulum on a spring"
  { The parts: (class) name(parameter = value). Values can be changed from outside: --set low.m=2.
    A joint turns about its unit vector (n1, n2, n3); a bar goes by the vector (r1, r2, r3), in m. }
  submodel (Inertial) world(ng3=-1, g=9.81) "gravity points along -z"
  submodel (Revolute) shoulder(n2=1, q0=1), elbow(n2=1) "q0: start angle, in rad"
  submodel (Bar) upper(r3=-0.5), lower(r3=-0.4)
  submodel (Body) high(m=1, r3=-0.25), low(m=1, r3=-0.2) "r3: center of mass"
  submodel (Bar) hook(r1=0.6, r3=-0.6)
  submodel (Spring) spring(c=20, s0=0.3)
  submodel (JointDamper) friction(d=0.5)

  { `to` joins parts in a chain, from the world outwards; `at` names the places at which a part is connected. }
  connect world to shoulder to upper to elbow to lower,
          world to hook,
          shoulder to high, elbow to low,
          spring at (hook:b, lower:b),
          friction at shoulder:ext
end
