{ Random signals, and sensors with errors.

  A model with random signals declares the seed of all of them: internal seed = 1. Another seed gives other signals, and the
  same seed the same signals, to the last bit in every target. Each instance has its own stream, from its path in the model:
  a new sensor does not change the signals of the others. }

@blocks
@sources

model class (Signal) Random "base of random signals: a new value at the instants t0 + k*T, constant in between"
  parameter T (unit="s", min=1e-300) "time between values"
  parameter t0 (unit="s") = 0 "first value"
  constant stream = random_stream("y") "number of the random stream"
  external seed
  assert seed == floor(seed) and abs(seed) < 2^53, "the seed must be a whole number below 2^53"
  local k (start=0) "number of values so far"
end

model class (Random) UniformNoise "random values, uniform between low and high"
  parameter low = -1, high = 1 "limits"
  when sample(t0, T) then
    new(k) = k + 1
    new(y) = low + (high - low)*random_uniform(seed, stream, k)
  endwhen
end

model class (Random) NormalNoise "random values, normal with this mean and standard deviation"
  parameter mean = 0, sigma = 1 "mean and standard deviation"
  when sample(t0, T) then
    new(k) = k + 1
    new(y) = mean + sigma*random_normal(seed, stream, k)
  endwhen
end

{ Held values of variance S/T have the power spectral density S*(sin(x)/x)^2 with x = pi*f*T: 0.95 S at f = 0.125/T. }
model class (Random) WhiteNoise "white noise with the two-sided power spectral density S up to about f = 0.1/T"
  parameter S (min=0) = 1 "power spectral density: square of the unit of y, per Hz"
  constant second (unit="s") = 1
  when sample(t0, T) then
    new(k) = k + 1
    new(y) = sqrt(S*second/T)*random_normal(seed, stream, k)
  endwhen
end

model class (Signal) BandLimitedNoise "white noise through a low-pass filter of order n"
  parameter n = 2 "order of the filter"
  parameter f (unit="Hz", min=1e-300) "cut-off frequency, -3 dB"
  parameter S (min=0) = 1 "two-sided power spectral density below f: square of the unit of y, per Hz"
  parameter T (unit="s", min=1e-300) = 0.05/f "time between values of the white noise"
  parameter t0 (unit="s") = 0 "start"
  submodel (WhiteNoise) white(S=S, T=T, t0=t0)
  submodel (Butterworth) filter(n=n, f=f)
  connect white to filter
  y = filter.y
end

model class (Random) RandomWalk "sum of normal values: its variance grows by rate^2 in each second"
  parameter rate (min=0) = 1 "standard deviation after one second"
  parameter y0 = 0 "y before the first value"
  constant second (unit="s") = 1
  local walk (start=y0)
  y = walk
  when sample(t0, T) then
    new(k) = k + 1
    new(walk) = walk + rate*sqrt(T/second)*random_normal(seed, stream, k)
  endwhen
end

model class RandomBoolean "true with the probability p, drawn at the instants t0 + k*T"
  parameter p (unit="1", min=0, max=1) = 0.5 "probability"
  parameter T (unit="s", min=1e-300) "time between values"
  parameter t0 (unit="s") = 0 "first value"
  constant stream = random_stream("y") "number of the random stream"
  external seed
  assert seed == floor(seed) and abs(seed) < 2^53, "the seed must be a whole number below 2^53"
  main cut out (y)
  terminal (Boolean) y
  local k (start=0) "number of values so far"
  when sample(t0, T) then
    new(k) = k + 1
    new(y) = random_uniform(seed, stream, k) < p
  endwhen
end

{ --- sensors --- }

model class (SISO) Quantizer "y is the multiple of step that is nearest to u"
  parameter step (min=1e-300) "distance of two values of y"
  y = step*floor(u/step + 0.5)
end

model class (SISO) Bias "y = u + bias"
  parameter bias = 0
  y = u + bias
end

model class (SISO) AddedNoise "y = u + normal values, new ones at the instants t0 + k*T"
  parameter sigma (min=0) = 1 "standard deviation"
  parameter T (unit="s", min=1e-300) "time between values"
  parameter t0 (unit="s") = 0 "first value"
  submodel (NormalNoise) noise(sigma=sigma, T=T, t0=t0)
  y = u + noise.y
end

model class (InOut) Sensor
    "samples k*u + bias + noise at the instants t0 + k*T, limits and rounds it, and shows it late samples later"
  parameter T (unit="s", min=1e-300) "time between samples"
  parameter t0 (unit="s") = 0 "first sample"
  parameter gain = 1, bias = 0 "factor and offset"
  parameter sigma (min=0) = 0 "standard deviation of the noise"
  parameter step (min=0) = 0 "distance of two values of y; 0: y is not rounded"
  parameter high = 1e300, low = -high "limits"
  parameter late = 0 "number of samples by which y is late"
  parameter y0 = 0 "y before the first value"
  constant stream = random_stream("y") "number of the random stream"
  external seed
  assert seed == floor(seed) and abs(seed) < 2^53, "the seed must be a whole number below 2^53"
  cut inp (u), out (y)
  local count (start=0) "number of samples so far"
  local held(late + 1)(start=y0), raw "the latest value and those before it; without noise"
  raw = gain*u + bias
  y = held(late + 1)
  when sample(t0, T) then
    new(count) = count + 1
    new(held(1)) = rounded_to(max(low, min(high, raw + sigma*random_normal(seed, stream, count))),
                              step)
    for i = 2..late + 1 do
      new(held(i)) = held(i - 1)
    endfor
  endwhen
end

function rounded_to(u, step) result y "the multiple of step that is nearest to u; u if step is 0"
  if step > 0 then
    y := step*noevent(floor(u/step + 0.5))
  else
    y := u
  endif
end
