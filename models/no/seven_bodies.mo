{ The seven bodies of figure 2 of No, A Method of Formulating the Equations of Motion of Multibody Systems: the base 1 carries 2 and 3,
  2 carries 4 and 5, 3 carries 6 and 7. The paper prints no data: here it is a satellite in free flight, with two beams on hinges,
  and at the end of each beam a panel that turns about the beam and an instrument on a universal joint. }

@mbsmat

model SevenBodies "body 1 is the base, 2 and 3 are beams, 4 and 6 panels, 5 and 7 instruments"
  submodel (Inertial) space(ng3=-1, g=0)
  submodel (Free) free1(w1=0.05, w3=0.1)
  submodel (Revolute) hinge2(n1=1, qd0=0.2), hinge3(n1=1, qd0=-0.1), turn4(n2=1, qd0=0.4)
  submodel (Universal) pan5(na3=1, nb1=1, q02=0.5, qd01=0.3)
  submodel (Revolute) turn6(n2=1, qd0=-0.3)
  submodel (Universal) pan7(na3=1, nb1=1, q02=-0.5)
  submodel (Bar) right(r2=0.5), left(r2=-0.5)
  submodel (Body) body1(m=80, r3=0.1, I11=9, I22=8, I33=7)
  submodel (BodyBox) body2(r2=1, w1=1, width=0.1, height=0.1, density=300),
                     body3(r2=-1.2, w1=1, width=0.1, height=0.1, density=300),
                     body4(r2=2, w1=1, width=0.8, height=0.02, density=100),
                     body6(r2=-2, w1=1, width=0.8, height=0.02, density=100)
  submodel (Body) body5(m=4, r3=0.2, I11=0.05, I22=0.06, I33=0.03),
                  body7(m=3, r1=0.1, r3=0.2, I11=0.04, I22=0.05, I33=0.03)
  connect space to free1 to right to hinge2 to body2 to turn4 to body4,
          free1:b to left to hinge3 to body3 to turn6 to body6,
          body2:b to pan5 to body5, body3:b to pan7 to body7, body1 at free1:b
end
