{ Figure 1 of the paper: the robot with all of its six axes. The lines that "..." stands for there are like those that are printed; the data of
  the motors and gears of axes 2 to 5 are those of Otter's later edition (Ci = 0.004*D/w, La = 250/(2*D*w) of a current loop with the
  frequency w and the damping D). }

@r3.lib

model R3
  constant i1=-105, i2=210, i3=60, i4=-99, i5=79.2, i6=-99
  submodel (R3control) c1, c2, c3, c4, c5, c6
  submodel (R3motor)   m1(Ci=5.2288e-7, La=0.045389, k=1.1616)
  submodel (R3motor)   m2(Ci=4.3636e-7, La=0.037879, k=1.1616)
  submodel (R3motor)   m3(Ci=4.3636e-7, La=0.037879, k=1.1616)
  submodel (R3motor)   m4(Ci=3.5200e-7, La=0.036364, k=0.2365)
  submodel (R3motor)   m5(Ci=3.5200e-7, La=0.036364, k=0.2608)
  submodel (R3motor)   m6(Ci=1.4595e-7, La=0.062563, k=0.0842)
  submodel (R3drive1)  d1(i=i1, J=0.0013, c=43, d=0.005)
  submodel (R3drive1)  d2(i=i2, J=0.0013, c=8, d=0.01)
  submodel (R3drive1)  d3(i=i3, J=0.0013, c=58, d=0.04)
  submodel (R3drive2)  d4(i=i4, J=1.6e-4)
  submodel (R3drive2)  d5(i=i5, J=1.8e-4)
  submodel (R3drive2)  d6(i=i6, J=4.3e-5)
  submodel (R3mbs)     robot(mL=15, rL1=0.1, rL2=0.1, rL3=0.25)
  input rq1, rq2, rq3, rq4, rq5, rq6
  input rqd1, rqd2, rqd3, rqd4, rqd5, rqd6
  connect c1 to m1, m1 to d1, d1 to robot:j1,
          c2 to m2, m2 to d2, d2 to robot:j2,
          c3 to m3, m3 to d3, d3 to robot:j3,
          c4 to m4, m4 to d4, d4 to robot:j4,
          c5 to m5, m5 to d5, d5 to robot:j5,
          c6 to m6, m6 to d6, d6 to robot:j6
  c1.rq = i1*rq1
  c1.rqd = i1*rqd1
  c2.rq = i2*rq2
  c2.rqd = i2*rqd2
  c3.rq = i3*rq3
  c3.rqd = i3*rqd3
  c4.rq = i4*rq4
  c4.rqd = i4*rqd4
  c5.rq = i5*rq5
  c5.rqd = i5*rqd5
  c6.rq = i6*rq6
  c6.rqd = i6*rqd6
end
