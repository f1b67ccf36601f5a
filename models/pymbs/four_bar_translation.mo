{ The kinematic loop FourBarTrans of PyMbs in closed form: a four-bar linkage, one side of which is a hydraulic cylinder. The
  angle of the boom is the independent coordinate, those of the cylinder and its length follow from it. }

@mbsmat

model FourBarTranslation "a boom on a cylinder, which holds it like a spring"
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) boom(n2=1, q0=-0.4)
  submodel (Bar) foot(r1=0.5, r3=-0.4), eye(r1=1, r3=0.2), jib(r1=3)
  submodel (JointRPR) cylinder(n2=1, r11=0.5, r13=0.6, s0=0.9)
  submodel (Body) beam(m=200, r1=1.5, I11=10, I22=150, I33=150),
                  barrel(m=20, r1=0.2, r3=0.2, I11=1, I22=1, I33=1),
                  rod(m=10, r1=-0.2, r3=-0.2, I11=0.5, I22=0.5, I33=0.5), load(m=50)
  submodel (JointSpringDamper) oil(c=4e5, d=2e4)
  connect world to boom, boom:b to jib to load, beam at boom:b, world to foot to cylinder:a,
          boom:b to eye to cylinder:b, barrel at cylinder:ia, rod at cylinder:ib,
          oil at cylinder:ext
end
