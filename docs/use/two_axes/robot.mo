{ Figure 1 of the paper: its first axis and its last one with the two kinds of gears. }

@r3.lib

model R3
  constant i1=-105, i6=-99
  submodel (R3control) c1, c6
  submodel (R3motor)   m1(Ci=5.2288e-7, La=0.045389, k=1.1616)
  submodel (R3motor)   m6(Ci=1.4595e-7, La=0.062563, k=0.0842)
  submodel (R3drive1)  d1(i=i1, J=0.0013, c=43, d=0.005)
  submodel (R3drive2)  d6(i=i6, J=4.3e-5)
  submodel (R3mbs)     robot(mL=15, rL1=0.1, rL2=0.1, rL3=0.25)
  input rq1, rq6
  input rqd1, rqd6
  connect c1 to m1, m1 to d1, d1 to robot:j1,
          c6 to m6, m6 to d6, d6 to robot:j6
  c1.rq = i1*rq1
  c1.rqd = i1*rqd1
  c6.rq = i6*rq6
  c6.rqd = i6*rqd6
end
