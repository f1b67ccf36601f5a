/* Calls Pinocchio's articulated-body algorithm repeatedly from C++; pinocchio_peer.py loads it. In: a chain of
   revolute joints as plain numbers; out: accelerations. It uses the faster of the two formulations. */

#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
#include "pinocchio_chain.h"

using Vector = Eigen::Map<const Eigen::VectorXd>;

namespace
{
struct Robot
{
    pin::Model model;
    pin::Data data;
    Eigen::VectorXd q, v, tau;
};
}

extern "C" {

/* Returns a handle for the arguments of `chain`. */
void *create(long n, const double *axis, const double *offset, const double *mass, const double *center,
             const double *inertia, const double *gravity)
{
    const pin::Model model = chain(n, axis, offset, mass, center, inertia, gravity);
    return new Robot{model, workspace(model), Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
}

/* Evaluates `number` times at the rows (q, v, tau) in turn; writes the last accelerations. */
void repeat(void *handle, long number, long points, const double *rows, double *accelerations)
{
    Robot &r = *static_cast<Robot *>(handle);
    const long n = r.model.nv;
    for (long k = 0, row = 0; k < number; k++, row = row + 1 < points ? row + 1 : 0) {
        const double *p = rows + 3 * n * row;
        r.q = Vector(p, n);
        r.v = Vector(p + n, n);
        r.tau = Vector(p + 2 * n, n);
        pin::aba(r.model, r.data, r.q, r.v, r.tau, pin::Convention::WORLD);
    }
    Eigen::Map<Eigen::VectorXd>(accelerations, n) = r.data.ddq;
}

void release(void *handle) { delete static_cast<Robot *>(handle); }
}
