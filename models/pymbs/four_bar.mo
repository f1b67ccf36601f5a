{ The kinematic loop FourBar of PyMbs in closed form: the angle of the crank is the independent coordinate, those of the
  coupler and of the rocker follow from it. }

@mbsmat

model FourBar
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) crank(n2=1, qd0=8)
  submodel (Bar) b1(r3=0.2), base(r1=0.7)
  submodel (JointRRR) rods(n2=1, r11=0.65, r13=0.3, r21=-0.05, r23=0.5)
  submodel (Body) m1(m=1, r3=0.1, I11=0.01, I22=0.01, I33=0.01),
                  m2(m=2, r1=0.3, r3=0.1, I11=0.02, I22=0.1, I33=0.1),
                  m3(m=1, r3=0.25, I11=0.03, I22=0.03, I33=0.01)
  submodel (JointForce) motor
  submodel (JointDamper) friction(d=0.2)
  connect world to crank to b1 to rods:a, world to base to rods:b, m1 at crank:b, m2 at rods:ia,
          m3 at rods:ib, motor at crank:ext, friction at crank:ext
  motor.f = 1.5
end
