{ A multibody library typed from the printed equations (1)-(11) of Otter, Elmqvist and Cellier. }

model class MbsOneCut
  main cut a (Ta(3,3), ra(3), va(6), aa(6) / fa(6))
  terminal Pa
  Pa = fa'*va
end

model class MbsTwoCut
  cut a (Ta(3,3), ra(3), va(6), aa(6) / fa(6))
  cut b (Tb(3,3), rb(3), vb(6), ab(6) / fb(6))
  main cut c [a, b]
  main path p <a - b>
  terminal Pa, Pb
  Pa = fa'*va
  Pb = fb'*vb
end

model class (MbsTwoCut) Interact
  local bTa(3,3), arab(3), brab(3), bvab(6), avab(6), aaab(6), baab(6), C(6,6), xi(6)
  bTa  = Tb'*Ta                                      {4a}
  arab = Ta'*(rb - ra)                               {4b}
  avab = [bTa', zeros(3,3); zeros(3,3), bTa']*bvab   {4c}
  aaab = [bTa', zeros(3,3); zeros(3,3), bTa']*baab   {4d}
  brab = Tb'*(rb - ra)                               {4e}
  bvab = vb - C*va                                   {4f}
  baab = ab - C*aa - xi                              {4g}
  zeros(6) = fa + C'*fb                              {4h}
  C  = [bTa, zeros(3,3); zeros(3,3), bTa]*[identity(3), zeros(3,3); -skew(arab), identity(3)]   {5b}
  xi = [bTa, zeros(3,3); zeros(3,3), bTa]*[cross(va(1..3), avab(1..3));
       cross(va(1..3), cross(va(1..3), arab) + 2*avab(4..6))]                                   {5c}
end

model class (Interact) Joint
  parameter n = 1
  terminal q(n), qd(n), qdd(n), lambda(n)
  local Phi(6,n), zeta(6)
  default lambda = zeros(n)
  qd = der(q)
  qdd = der(qd)
  bvab = Phi*qd                  {6}
  baab = Phi*qdd + zeta          {6}
  for k = 1..n do
    0 = lambda(k) + Phi(:,k)'*fb
  endfor
end

model class (Joint) Revolute
  parameter n1 = 0, n2 = 0, n3 = 0
  local e(3)
  e = [n1; n2; n3]
  bTa = e*e' + (identity(3) - e*e')*cos(q(1)) - skew(e)*sin(q(1))
  brab = zeros(3)
  Phi(:,1) = [n1; n2; n3; 0; 0; 0]
  zeta = zeros(6)
end

model class (MbsOneCut) Inertial
  parameter ng1 = 0, ng2 = 0, ng3 = 0, g = 9.81
  Ta = identity(3)
  ra = zeros(3)
  va = zeros(6)
  aa = [0; 0; 0; -g*ng1; -g*ng2; -g*ng3]
end

model class (Interact) Bar
  parameter r1 = 0, r2 = 0, r3 = 0
  bTa = identity(3)
  brab = [r1; r2; r3]
  bvab = zeros(6)
  baab = zeros(6)
end

model class (MbsOneCut) Body
  parameter m = 0, r1 = 0, r2 = 0, r3 = 0, I11 = 0, I22 = 0, I33 = 0, I21 = 0, I31 = 0, I32 = 0
  local I(6,6), b(6), Ibar(3,3), rCM(3), w(3)
  rCM = [r1; r2; r3]
  w = va(1..3)
  Ibar = [I11, I21, I31; I21, I22, I32; I31, I32, I33] - m*skew(rCM)*skew(rCM)     {11c}
  I = [Ibar, m*skew(rCM); -m*skew(rCM), m*identity(3)]                             {11a}
  b = [cross(w, Ibar*w); m*cross(w, cross(w, rCM))]                                {11b}
  fa = I*aa + b                                                                    {10}
end
