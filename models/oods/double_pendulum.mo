{ The double pendulum of Koh and Park, Object oriented dynamics simulator, figures 9 to 11. Axis 2 points upwards. The bars are
  slender, 1 m long; at the start they hang down and turn together about the ceiling with 10 rad/s. }

@mbsabs

model class Rod "slender rod of 1 m between its cuts, and its center of mass"
  cut (Frame) top, bottom
  main path P <top - bottom>
  submodel (Bar) upper(r2=-0.5), lower(r2=-0.5)
  submodel (Body) part(m=1, I11=8.33e-2, I22=5e-5, I33=8.33e-2)
  submodel (AbsoluteSensor) center
  connect top to upper to lower to bottom, part at upper:b, center at upper:b
end

model DoublePendulum
  submodel (Inertial) ceiling(ng2=-1)
  submodel (Spherical) ball(w3=10), ball2
  submodel (Rod) bar, bar2
  submodel (TorsionalSpring) torSpr(c=10)
  connect ceiling to ball to bar to ball2 to bar2, torSpr at (ceiling, bar:top)
end
