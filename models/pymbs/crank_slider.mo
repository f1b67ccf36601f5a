{ The kinematic loop CrankSlider of PyMbs in closed form: the angle of the crank is the independent coordinate. A piston
  turns a crank with a flywheel against a load. }

@mbsmat

model CrankSlider
  constant r = 0.1, l = 0.35
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) crank(n2=1, q0=0.3, qd0=20)
  submodel (Bar) throw(r1=r)
  submodel (JointRRP) rod(n2=1, r11=l, nb1=1)
  submodel (Body) shaft(m=2, r1=r/2, I11=0.01, I22=0.2, I33=0.2),
                  bar(m=1, r1=l/2, I11=0.001, I22=0.01, I33=0.01),
                  piston(m=1.5)
  submodel (JointDamper) load(d=0.5)
  submodel (JointForce) gas
  connect world to crank to throw to rod:a, world to rod:b, shaft at crank:b, bar at rod:ia,
          piston at rod:im, load at crank:ext, gas at rod:ext
  { It presses while the piston moves towards the crank. }
  gas.f = -400*max(0, sin(crank.q))
end
