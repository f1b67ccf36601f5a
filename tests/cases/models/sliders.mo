{ Examples of Modelica.Mechanics.Translational of the Modelica Standard Library 4.0, written anew. Positions are those of the
  middle of a mass of length 1 m, so that walls stand half a meter nearer. }

@translational
@sources

model Oscillator "two masses on springs, driven in resonance, one of them damped"
  submodel (Mass) m1(m=1, s0=-0.5), m2(m=1, s0=-0.5)
  submodel (Spring) c1(s_rel0=1, c=1e4), c2(s_rel0=1, c=1e4)
  submodel (Damper) d(d=10)
  submodel (Fixed) wall(s0=0.5)
  submodel (Force) F1, F2
  submodel (Sine) sine(f=15.9155)
  connect sine to F1 to m1 to c1 to wall, sine to F2 to m2 to (c2 par d) to wall
end

model Dampers "a mass stopped by a damper, by a damper and a spring, by both in one"
  submodel (Mass) m(3)(m=1, s0=3, v0=10)
  submodel (Damper) d1(d=25), d2(d=25)
  submodel (Spring) c2(c=1, s_rel0=1)
  submodel (SpringDamper) cd3(c=1, d=25, s_rel0=1)
  submodel (Fixed) wall(s0=4)
  connect m(1) to d1 to wall, m(2) to (d2 par c2) to wall, m(3) to cd3 to wall
end

model Accelerated "a mass of prescribed acceleration"
  submodel (Accelerate) drive
  submodel (Mass) m(m=1)
  connect drive to m
  drive.a = 1
end

model Gaps "a mass between two gaps, and one between two springs"
  submodel (Mass) m1(m=1, s0=2), m2(m=1, s0=2)
  submodel (ElastoGap) g1(c=10, d=1.5, s_rel0=1.5), g2(c=10, d=1.5, s_rel0=1.5)
  submodel (SpringDamper) c1(c=10, d=1.5, s_rel0=2), c2(c=10, d=1.5, s_rel0=2)
  submodel (Rod) r1(length=2), r2(length=2)
  submodel (Fixed) wall
  connect r1 to wall to r2, r1:A to g1 to m1 to g2 to r2:B, r1:A to c1 to m2 to c2 to r2:B
end

function grid((Integer) n, top) result v(n) "n points from zero to top"
  for k = 1..n do
    v(k) := top*(k - 1)/(n - 1)
  endfor
end

function stribeck(v(:)) result f(size(v, 1)) "friction after Stribeck at the velocities v"
  for k = 1..size(v, 1) do
    f(k) := 5 + v(k) + 10*exp(-2*v(k))
  endfor
end

model Stops "friction after Stribeck, in masses with stops and against the housing"
  submodel (MassWithStop) m1(m=1, s_min=-24.5, s_max=24.5, F_prop=1, F_Coulomb=5, F_Stribeck=10,
                             fexp=2)
  submodel (MassWithStop) m2(m=1, s_min=-0.4, s_max=0.4, F_prop=1, F_Coulomb=3, F_Stribeck=5,
                             fexp=2, v0=-5)
  submodel (Mass) m3(m=1)
  submodel (SupportFriction) friction(n=50, v_tab=grid(50,12), f_tab=stribeck(grid(50,12)))
  submodel (Spring) c(c=500, s_rel0=1)
  submodel (Fixed) wall(s0=-1.25)
  submodel (Force) F1, F3
  submodel (Sine) sine(amplitude=25, f=0.25)
  connect sine to F1 to m1, sine to F3 to m3 to friction, wall to c to m2
end
