{ A rod of five volumes, hot at its left end and insulated elsewhere. Half a volume lies between the end and the first center. }

@thermal

model class Rod "n volumes, each of one temperature"
  parameter n = 5 "number of volumes"
  parameter L (unit="m") = 1, A (unit="m2") = 4e-4 "length, cross-section"
  parameter rho (unit="kg/m3") = 7500, c (unit="J/(kg.K)") = 450, k (unit="W/(m.K)") = 74
  parameter T0 (unit="K") = 293.15
  submodel (HeatCapacitor) volume(n)(C=rho*c*A*L/n, T0=T0)
  submodel (ThermalConductor) between(n - 1)(G=k*A*n/L)
  submodel (ThermalConductor) half(2)(G=2*k*A*n/L)
  cut left, right
  main path P <left - right>
  connect left to half(1) to volume(1), volume(n) to half(2) to right,
          volume(i) to between(i) to volume(i + 1) for i = 1..n - 1
end

model HeatedRod
  submodel (FixedTemperature) hot(T0=493.15)
  submodel (Rod) rod
  submodel (FixedHeatFlow) insulated(Q=0)
  connect hot to rod to insulated
end
