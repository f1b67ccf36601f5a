{ Two bodies of different temperature that are connected by a conductor. }

@thermal

model TwoMasses
  submodel (HeatCapacitor) mass1(C=15, T0=373.15), mass2(C=15, T0=273.15)
  submodel (ThermalConductor) conduction(G=10)
  submodel (CelsiusSensor) Tsensor1, Tsensor2
  connect mass1 to conduction to mass2, Tsensor1 at mass1:A, Tsensor2 at mass2:A
end
