/* Writes Pinocchio's articulated-body algorithm on symbols of CasADi, the function dx = rate(x, u), into a file that
   CasADi's Python module reads (pinocchio_peer.py). Frames are local: with symbols this takes fewer operations. */

#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
#include <pinocchio/autodiff/casadi.hpp>

#include "pinocchio_chain.h"

using Symbol = casadi::SX;
using Vector = Eigen::Matrix<Symbol, Eigen::Dynamic, 1>;

extern "C" {

/* `states` has for each state its position in (q, v); `damping` a number for each joint; then the arguments of `chain`. */
void write_rates(const char *path, const long *states, const double *damping, long n, const double *axis,
                 const double *offset, const double *mass, const double *center, const double *inertia, const double *gravity)
{
    const auto model = chain(n, axis, offset, mass, center, inertia, gravity).cast<Symbol>();
    auto data = workspace(model);
    const Symbol x = Symbol::sym("x", 2 * n), u = Symbol::sym("u", n);
    Vector q(n), v(n), tau(n);
    for (long k = 0; k < 2 * n; k++) (states[k] < n ? q[states[k]] : v[states[k] - n]) = x(k);
    for (long k = 0; k < n; k++) tau[k] = u(k) - damping[k] * v[k];
    pin::aba(model, data, q, v, tau, pin::Convention::LOCAL);
    std::vector<Symbol> rates;
    for (long k = 0; k < 2 * n; k++) rates.push_back(states[k] < n ? v[states[k]] : data.ddq[states[k] - n]);
    casadi::Function("rate", {x, u}, {vertcat(rates)}, {"x", "u"}, {"dx"}).save(path);
}
}
