{ Digital filters, controllers and observers: they act at the instants t0 + k*T, and their outputs are constant in between.
  ZeroOrderHold and UnitDelay are in blocks.mo. }

@blocks

model class (SampledSISO, Quotient) ZTransferFunction
    "quotient of two polynomials in z, for u = 0 before the first sample"
  local x(na - 1)(start=0), w "earlier values of w; u through the denominator"
  w = (u - a(2..na)'*x)/a(1)
  when sample(t0, T) then
    new(y) = bb(1)*w + bb(2..na)'*x
    new(x(1)) = w
    for k = 2..na - 1 do
      new(x(k)) = x(k - 1)
    endfor
  endwhen
end

model class (SampledSISO) MovingAverage "mean value of the latest n samples; samples before the first are zero"
  parameter n = 2 "number of samples"
  local x(n)(start=0) "samples, the latest first"
  when sample(t0, T) then
    new(y) = (sum(x) - x(n) + u)/n
    new(x(1)) = u
    for k = 2..n do
      new(x(k)) = x(k - 1)
    endfor
  endwhen
end

model class (SampledSISO) DiscreteStateSpace "x(k + 1) = A*x(k) + B*u(k), y(k) = C'*x(k) + D*u(k)"
  parameter nx "number of states"
  parameter A(nx, nx), B(nx), C(nx), D = 0
  parameter x0(nx) = zeros(nx) "x at the first sample"
  local x(nx)(start=x0)
  when sample(t0, T) then
    new(y) = C'*x + D*u
    new(x) = A*x + B*u
  endwhen
end

model class (Sampled, InOut) DiscreteStateSpaceN
    "x(k + 1) = A*x(k) + B*u(k), y(k) = C*x(k) + D*u(k), with vectors u and y"
  parameter nx, nu, ny "numbers of states, inputs and outputs"
  parameter A(nx, nx), B(nx, nu), C(ny, nx), D(ny, nu) = zeros(ny, nu)
  parameter x0(nx) = zeros(nx) "x at the first sample"
  cut inp (u(nu)), out (y(ny)(start=0))
  local x(nx)(start=x0)
  when sample(t0, T) then
    new(y) = matrix_vector(C, x) + matrix_vector(D, u)
    new(x) = matrix_vector(A, x) + matrix_vector(B, u)
  endwhen
end

{ The integral by backward differences; the derivative of the measured value is that of a first-order lag with Td/Nd. Where the
  output is limited, the integral stops growing: it becomes what the limit leaves of the output. }
model class (Sampled, MeasuredInOut) DiscretePID
    "digital PID controller with limited output: set-point at inp, measured value at measured"
  parameter k = 1 "gain"
  parameter Ti (unit="s", min=1e-300) = 0.5 "time constant of the integral part"
  parameter Td (unit="s", min=0) = 0 "time constant of the derivative part"
  parameter Nd (unit="1", min=1e-300) = 10 "a larger Nd gives a purer derivative"
  parameter ymax = 1e300, ymin = -ymax "limits of the output"
  cut inp (u), measured (um), out (y(start=0))
  local I (start=0), D (start=0),
        before (start=0) "integral and derivative part; um of the sample before"
  local (Boolean) started (start=false)
  when sample(t0, T) then
    new(started) = true
    new(before) = um
    new(D) = if started then (Td*D - k*Td*Nd*(um - before))/(Td + Nd*T) else 0
    new(y) = max(ymin, min(ymax, k*(u - um) + I + k*T/Ti*(u - um) + new(D)))
    new(I) = max(ymin - k*(u - um) - new(D), min(ymax - k*(u - um) - new(D), I + k*T/Ti*(u - um)))
  endwhen
end

{ --- observers, with one input and one measured value, or with vectors of them --- }

model class (MeasuredInOut) Observer "Luenberger observer: der(x) = A*x + B*u + L*(y - C'*x - D*u)"
  parameter nx "number of states"
  parameter A(nx, nx), B(nx), C(nx), D = 0
  parameter L(nx) "gain: the error decays as der(e) = (A - L*C')*e"
  parameter x0(nx) = zeros(nx) "x at the start"
  cut inp (u), measured (y), out (x(nx)(start=x0, fixed=true))
  der(x) = A*x + B*u + L*(y - C'*x - D*u)
end

model class (MeasuredInOut) ObserverN
    "Luenberger observer: der(x) = A*x + B*u + L*(y - C*x - D*u), with vectors u and y"
  parameter nx, nu, ny "numbers of states, inputs and measured values"
  parameter A(nx, nx), B(nx, nu), C(ny, nx), D(ny, nu) = zeros(ny, nu)
  parameter L(nx, ny) "gain: the error decays as der(e) = (A - L*C)*e"
  parameter x0(nx) = zeros(nx) "x at the start"
  cut inp (u(nu)), measured (y(ny)), out (x(nx)(start=x0, fixed=true))
  der(x) = matrix_vector(A, x) + matrix_vector(B, u) +
           matrix_vector(L, y - matrix_vector(C, x) - matrix_vector(D, u))
end

model class (Sampled) Estimator
    "base of observers and filters: they take the input that follows from their own estimate"
  local last (unit="s", start=-1e300) "instant of the last sample"
  local (Boolean) begun (start=false)
end

{ x is the prediction, made from the measured values up to the sample before. }
model class (Estimator, MeasuredInOut) DiscreteObserver
    "Luenberger observer: x(k + 1) = A*x + B*u + L*(y - C'*x - D*u) at each sample"
  parameter nx "number of states"
  parameter A(nx, nx), B(nx), C(nx), D = 0
  parameter L(nx) "gain: the error changes by the factor A - L*C' with each sample"
  parameter x0(nx) = zeros(nx) "x at the first sample"
  cut inp (u), measured (y), out (x(nx)(start=x0))
  local uk (start=0), yk (start=0) "u and y just after the last sample: u may follow from x"
  new(uk) = if noevent(time <= last) then u else uk
  new(yk) = if noevent(time <= last) then y else yk
  when sample(t0, T) then
    new(last) = time
    new(x) = if begun then A*x + B*uk + L*(yk - C'*x - D*uk) else x0
    new(begun) = true
  endwhen
end

model class (Estimator, MeasuredInOut) DiscreteObserverN
    "Luenberger observer: x(k + 1) = A*x + B*u + L*(y - C*x - D*u), with vectors u and y"
  parameter nx, nu, ny "numbers of states, inputs and measured values"
  parameter A(nx, nx), B(nx, nu), C(ny, nx), D(ny, nu) = zeros(ny, nu)
  parameter L(nx, ny) "gain: the error changes by the factor A - L*C with each sample"
  parameter x0(nx) = zeros(nx) "x at the first sample"
  cut inp (u(nu)), measured (y(ny)), out (x(nx)(start=x0))
  local uk(nu)(start=0), yk(ny)(start=0) "u and y just after the last sample: u may follow from x"
  new(uk) = if noevent(time <= last) then u else uk
  new(yk) = if noevent(time <= last) then y else yk
  when sample(t0, T) then
    new(last) = time
    new(x) = if begun then
             matrix_vector(A, x) + matrix_vector(B, uk) +
             matrix_vector(L, yk - matrix_vector(C, x) - matrix_vector(D, uk)) else x0
    new(begun) = true
  endwhen
end

{ R. E. Kalman: A New Approach to Linear Filtering and Prediction Problems, 1960; the covariance in the form of P. D. Joseph,
  which stays symmetric and positive. x is the estimate that includes the value measured at the sample. }
model class (Estimator, MeasuredInOut) KalmanFilter
    "estimates x of x(k + 1) = A*x(k) + B*u(k) + w, y(k) = C'*x(k) + D*u(k) + v"
  parameter nx "number of states"
  parameter A(nx, nx), B(nx) = zeros(nx), C(nx), D = 0
  parameter Q(nx, nx),
            R "covariance of the noise w of the states, variance of the noise v of the measured value"
  parameter x0(nx) = zeros(nx),
            P0(nx, nx) = identity(nx) "x before the first sample, and its covariance"
  cut inp (u), measured (y), out (x(nx)(start=x0))
  default u = 0
  local before(nx)(start=x0),
        Pnext(nx, nx)(start=P0) "prediction for the sample, and its covariance for the next one"
  local K(nx)(start=0), P(nx, nx)(start=P0) "gain, and covariance of x"
  local uk (start=0) "u just after the last sample: it may follow from x"
  new(uk) = if noevent(time <= last) then u else uk
  when sample(t0, T) then
    new(last) = time
    new(before) = if begun then A*x + B*uk else x0
    new(K) = Pnext*C/(C'*Pnext*C + R)
    new(x) = new(before) + new(K)*(y - C'*new(before) - D*u)
    new(P) = (identity(nx) - new(K)*C')*Pnext*(identity(nx) - new(K)*C')' + R*new(K)*new(K)'
    new(Pnext) = A*new(P)*A' + Q
    new(begun) = true
  endwhen
end

model class (Estimator, MeasuredInOut) KalmanFilterN "the same with vectors u and y: y(k) = C*x(k) + D*u(k) + v"
  parameter nx, nu, ny "numbers of states, inputs and measured values"
  parameter A(nx, nx), B(nx, nu), C(ny, nx), D(ny, nu) = zeros(ny, nu)
  parameter Q(nx, nx),
            R(ny, ny) "covariances of the noise w of the states and v of the measured values"
  parameter x0(nx) = zeros(nx),
            P0(nx, nx) = identity(nx) "x before the first sample, and its covariance"
  cut inp (u(nu)), measured (y(ny)), out (x(nx)(start=x0))
  local before(nx)(start=x0),
        Pnext(nx, nx)(start=P0) "prediction for the sample, and its covariance for the next one"
  local K(nx, ny)(start=0), P(nx, nx)(start=P0) "gain, and covariance of x"
  local uk(nu)(start=0) "u just after the last sample: it may follow from x"
  new(uk) = if noevent(time <= last) then u else uk
  when sample(t0, T) then
    new(last) = time
    new(before) = if begun then matrix_vector(A, x) + matrix_vector(B, uk) else x0
    new(K) = kalman_gain(Pnext, C, R)
    new(x) = new(before) +
             matrix_vector(new(K), y - matrix_vector(C, new(before)) - matrix_vector(D, u))
    new(P) = kalman_covariance(Pnext, new(K), C, R)
    new(Pnext) = matrix_product(matrix_product(A, new(P)), matrix_transposed(A)) + Q
    new(begun) = true
  endwhen
end

{ Products whose result has the shape of the declaration, also for one row or column. }
function matrix_vector(A(:,:), x(:)) result y(size(A, 1)) "A*x"
  for i = 1..size(A, 1) do
    y(i) := A(i, :)'*x
  endfor
end

function matrix_product(A(:,:), B(:,:)) result C(size(A, 1), size(B, 2)) "A*B"
  for i = 1..size(A, 1) do
    for j = 1..size(B, 2) do
      C(i, j) := A(i, :)'*B(:, j)
    endfor
  endfor
end

function matrix_transposed(A(:,:)) result B(size(A, 2), size(A, 1)) "A'"
  for i = 1..size(A, 1) do
    for j = 1..size(A, 2) do
      B(j, i) := A(i, j)
    endfor
  endfor
end

function kalman_gain(P(:,:), C(:,:), R(:,:)) result K(size(P, 1), size(C, 1)) "P*C'*S^-1 with S = C*P*C' + R"
  local PC(size(P, 1), size(C, 1)) = matrix_product(P, matrix_transposed(C))
  K := matrix_product(PC, matrix_inverse(matrix_product(C, PC) + R))
end

function kalman_covariance(P(:,:), K(:,:), C(:,:), R(:,:)) result N(size(P, 1), size(P, 1))
    "V*P*V' + K*R*K' with V = 1 - K*C"
  local V(size(P, 1), size(P, 1)) = identity(size(P, 1)) - matrix_product(K, C)
  N := matrix_product(matrix_product(V, P), matrix_transposed(V)) +
       matrix_product(matrix_product(K, R), matrix_transposed(K))
end

function matrix_inverse(A(:,:)) result X(size(A, 1), size(A, 1)) "the inverse of A, by elimination with exchanged rows"
  local M(size(A, 1), size(A, 1)) = A, best, factor, kept
  local (Integer) pivot
  X := identity(size(A, 1))
  for k = 1..size(A, 1) do
    pivot := k
    best := abs(M(k, k))
    for i = k + 1..size(A, 1) do
      if abs(M(i, k)) > best then
        pivot := i
        best := abs(M(i, k))
      endif
    endfor
    assert best > 0, "the matrix has no inverse"
    for j = 1..size(A, 1) do
      kept := M(k, j)
      M(k, j) := M(pivot, j)
      M(pivot, j) := kept
      kept := X(k, j)
      X(k, j) := X(pivot, j)
      X(pivot, j) := kept
    endfor
    for i = 1..size(A, 1) do
      if i <> k then
        factor := M(i, k)/M(k, k)
        for j = 1..size(A, 1) do
          M(i, j) := M(i, j) - factor*M(k, j)
          X(i, j) := X(i, j) - factor*X(k, j)
        endfor
      endif
    endfor
  endfor
  for k = 1..size(A, 1) do
    for j = 1..size(A, 1) do
      X(k, j) := X(k, j)/M(k, k)
    endfor
  endfor
end
