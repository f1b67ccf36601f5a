@mbssim

model Tops "inertias that no rigid body has, an axis without direction, a mass below zero"
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) r1(n3=1), r2(n1=1)
  submodel (Body) disc(m=2, r3=0.1, I11=0.2, I22=0.2, I33=0.5)
  submodel (Body) twisted(m=1, r3=0.1, I11=0.2, I22=0.2, I33=0.3, I21=0.3)
  connect i to r1 to disc, i to r2 to twisted
end
