model class TwoPin
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  local u
  u = Va - Vb
end

model class (TwoPin) Resistor
  parameter R
  R*i = u
end

model class (TwoPin) Capacitor
  parameter C
  C*der(u) = i
end

model class Source
  main cut A (V / i)
  parameter E = 0
  V = E
end

model class Cell "a rung of the ladder"
  parameter R, leak = 0
  cut A, B, G
  main cut C [A, B, G]
  main path P <A - B>
  submodel (Resistor) r(R = R), l(R = 100) if leak > 0
  submodel (Capacitor) c(C = 0.5)
  connect A to r to B, (reversed c par l) at (G, B)
end

model Ladder "arrays, repetition, conditions and every form of connection"
  constant n = 3
  parameter leaky = 2
  submodel (Cell) cell(n)(R = [2, 3, 4], leak = leaky)
  submodel (Source) s(E = 10), g
  local total(n)
  connect s to cell(1), cell(k) to cell(k + 1) for k = 1..n - 1
  for k = 1..n do
    total(k) = k*time
    connect cell(k):G at g
  endfor
end
