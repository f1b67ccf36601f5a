{ Constants of nature, in SI units: F = m*g_n. Exact ones are defined by the SI of 2019, the others are those of CODATA
  2022 (P. J. Mohr et al., NIST Standard Reference Database 121). A declaration of a model hides them. }

function c() result value(unit="m/s") "speed of light in vacuum, exact"
  value := 299792458
end

function g_n() result value(unit="m/s2") "standard acceleration of gravity, exact (3rd CGPM, 1901)"
  value := 9.80665
end

function q_e() result value(unit="C") "elementary charge, exact"
  value := 1.602176634e-19
end

function k() result value(unit="J/K") "Boltzmann constant, exact"
  value := 1.380649e-23
end

function N_A() result value(unit="1/mol") "Avogadro constant, exact"
  value := 6.02214076e23
end

function R() result value(unit="J/(mol.K)") "molar gas constant, k*N_A, exact"
  value := 8.31446261815324
end

function sigma() result value(unit="W/(m2.K4)") "Stefan-Boltzmann constant, exact but for rounding"
  value := 5.670374419184429e-8
end

function mu_0() result value(unit="N/A2") "vacuum magnetic permeability, standard uncertainty 2.0e-16"
  value := 1.25663706127e-6
end

function eps_0() result value(unit="F/m") "vacuum electric permittivity, standard uncertainty 1.4e-21"
  value := 8.8541878188e-12
end
