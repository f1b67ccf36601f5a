model Numbers
  parameter R = 0,5
  submodel (Resistor) r(R = 0,5), s
  x = 0,5*y + 1
  x = [0,5; 1,2]
  x = f(0, 5,6) 7
end

model Comments
  x = 1 // behind
  // alone
  y = 2 % behind
  x = 1 /* behind */
end

model Operators
  x = if a != 1 then 1 else 2
  x = if a && b || c then 1 else 2
  x = if ~a ~= b then 1 else 2
  x += 1
  x = a ? b : c
  x = a .* b
end

model Conditions
  x = if y = 1 then 1 else 2
  if x = 1 then
    y = 1
  endif
  when x = 3 then
    init(y) = 0
  endwhen
end

model Words
equation
  extends Base(k = 1);
  import A.B;
  x = 1 annotation(Placement = 2);
  elif
  algorithm
  End
  Local x
end

model Declarations
  Real x;
  parameter Real R = 1
  Resistor R1(R = 1)
  der x = 1
  y = sqrt 2
  x[1] = y[2, 3]
end

model Connections
  connect(a, b)
  connect(a.p, b.n);
  connect(a.p
  for i in 1:3 loop
  endfor
  for i = 1:3 do
  endfor
  y = 1 + if x > 1 then 2 else 3
end
