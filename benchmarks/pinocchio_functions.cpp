/* Calls functions of Pinocchio repeatedly from C++; pinocchio_peer.py loads it. In: a chain of revolute joints as plain
   numbers; out: the last result. Each function takes the rows (q, v, a or tau) in turn. */

#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
#define BOOST_FUSION_INVOKE_MAX_ARITY 10
#include "pinocchio_chain.h"

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/center-of-mass.hpp>
#include <pinocchio/algorithm/centroidal.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/energy.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/algorithm/regressor.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>

using Vector = Eigen::Map<const Eigen::VectorXd>;

namespace
{
enum Which {
    INVERSE, BIAS, FORWARD, MASS_MATRIX, POSE, JACOBIAN, JACOBIAN_RATE, INVERSE_DERIVATIVES, FORWARD_DERIVATIVES,
    REGRESSOR, CENTER_OF_MASS, MOMENTUM, MOMENTUM_MATRIX, ENERGY
};

/* Row-major, as Cutset's. */
using Rows = Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

struct Robot
{
    pin::Model model;
    pin::Data data;
    pin::FrameIndex last;
    Eigen::VectorXd q, v, a;
    Eigen::Matrix<double, 6, Eigen::Dynamic> jacobian;
};

void evaluate(Robot &r, long which)
{
    switch (which) {
    case INVERSE: pin::rnea(r.model, r.data, r.q, r.v, r.a); break;
    case BIAS: pin::nonLinearEffects(r.model, r.data, r.q, r.v); break;
    case FORWARD: pin::aba(r.model, r.data, r.q, r.v, r.a, pin::Convention::WORLD); break;
    case MASS_MATRIX: pin::crba(r.model, r.data, r.q, pin::Convention::WORLD); break;
    case POSE:
        pin::forwardKinematics(r.model, r.data, r.q);
        pin::updateFramePlacement(r.model, r.data, r.last);
        break;
    case JACOBIAN_RATE:
        pin::computeJointJacobiansTimeVariation(r.model, r.data, r.q, r.v);
        pin::updateFramePlacement(r.model, r.data, r.last);
        r.jacobian.setZero();
        pin::getFrameJacobianTimeVariation(r.model, r.data, r.last, pin::LOCAL_WORLD_ALIGNED, r.jacobian);
        break;
    case INVERSE_DERIVATIVES: pin::computeRNEADerivatives(r.model, r.data, r.q, r.v, r.a); break;
    case FORWARD_DERIVATIVES: pin::computeABADerivatives(r.model, r.data, r.q, r.v, r.a); break;
    case REGRESSOR: pin::computeJointTorqueRegressor(r.model, r.data, r.q, r.v, r.a); break;
    case CENTER_OF_MASS: pin::centerOfMass(r.model, r.data, r.q, false); break;
    case MOMENTUM: pin::computeCentroidalMomentum(r.model, r.data, r.q, r.v); break;
    case MOMENTUM_MATRIX: pin::computeCentroidalMap(r.model, r.data, r.q); break;
    case ENERGY:
        pin::computeKineticEnergy(r.model, r.data, r.q, r.v);
        pin::computePotentialEnergy(r.model, r.data);
        break;
    default: pin::computeFrameJacobian(r.model, r.data, r.q, r.last, pin::LOCAL_WORLD_ALIGNED, r.jacobian);
    }
}

/* Side by side: the derivatives by q and v, and a symmetric matrix of which one half is known. */
template <class By, class Symmetric> void write_derivatives(const By &q, const By &v, const Symmetric &third, double *out)
{
    const long n = q.rows();
    Rows found(out, n, 3 * n);
    found.leftCols(n) = q;
    found.middleCols(n, n) = v;
    found.rightCols(n) = Eigen::MatrixXd(third.template selfadjointView<Eigen::Upper>());
}

/* Ten columns of each joint: Pinocchio's order is m, m*c, I11, I21, I22, I31, I32, I33. */
void write_regressor(const Eigen::MatrixXd &found, double *out)
{
    static const long places[10] = {0, 1, 2, 3, 4, 6, 9, 5, 7, 8};
    Rows rows(out, found.rows(), found.cols());
    for (long k = 0; k < found.cols(); k++) rows.col(k) = found.col(k / 10 * 10 + places[k % 10]);
}

void write(const Robot &r, long which, double *out)
{
    const long n = r.model.nv;
    switch (which) {
    case INVERSE: Eigen::Map<Eigen::VectorXd>(out, n) = r.data.tau; break;
    case BIAS: Eigen::Map<Eigen::VectorXd>(out, n) = r.data.nle; break;
    case FORWARD: Eigen::Map<Eigen::VectorXd>(out, n) = r.data.ddq; break;
    case MASS_MATRIX:
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++) out[n * i + j] = r.data.M(std::min(i, j), std::max(i, j));
        break;
    case POSE:
        for (long i = 0; i < 9; i++) out[i] = r.data.oMf[r.last].rotation()(i / 3, i % 3);
        for (long i = 0; i < 3; i++) out[9 + i] = r.data.oMf[r.last].translation()[i];
        break;
    case INVERSE_DERIVATIVES: write_derivatives(r.data.dtau_dq, r.data.dtau_dv, r.data.M, out); break;
    case FORWARD_DERIVATIVES: write_derivatives(r.data.ddq_dq, r.data.ddq_dv, r.data.Minv, out); break;
    case REGRESSOR: write_regressor(r.data.jointTorqueRegressor, out); break;
    case CENTER_OF_MASS: Eigen::Map<Eigen::VectorXd>(out, 3) = r.data.com[0]; break;
    case MOMENTUM:
        Eigen::Map<Eigen::VectorXd>(out, 3) = r.data.hg.angular();
        Eigen::Map<Eigen::VectorXd>(out + 3, 3) = r.data.hg.linear();
        break;
    case MOMENTUM_MATRIX:
        for (long i = 0; i < 6; i++)
            for (long j = 0; j < n; j++) out[n * i + j] = r.data.Ag((i + 3) % 6, j);
        break;
    case ENERGY:
        out[0] = r.data.kinetic_energy;
        out[1] = r.data.potential_energy;
        break;
    default:
        /* Pinocchio has the linear half first. */
        for (long i = 0; i < 6; i++)
            for (long j = 0; j < n; j++) out[n * i + j] = r.jacobian((i + 3) % 6, j);
    }
}
}

extern "C" {

/* Returns a handle for the arguments of `chain`. */
void *create(long n, const double *axis, const double *offset, const double *mass, const double *center,
             const double *inertia, const double *gravity)
{
    Robot *r = new Robot;
    r->model = chain(n, axis, offset, mass, center, inertia, gravity);
    r->last = r->model.addFrame(pin::Frame("last", n, 0, pin::SE3::Identity(), pin::OP_FRAME));
    r->data = pin::Data(r->model);
    r->jacobian.setZero(6, n);
    return r;
}

/* Evaluates function `which` `number` times at the rows in turn; writes the last result, row by row. */
void repeat(void *handle, long which, long number, long points, const double *rows, double *out)
{
    Robot &r = *static_cast<Robot *>(handle);
    const long n = r.model.nv;
    for (long k = 0, row = 0; k < number; k++, row = row + 1 < points ? row + 1 : 0) {
        const double *p = rows + 3 * n * row;
        r.q = Vector(p, n);
        r.v = Vector(p + n, n);
        r.a = Vector(p + 2 * n, n);
        evaluate(r, which);
    }
    write(r, which, out);
}

void release(void *handle) { delete static_cast<Robot *>(handle); }
}
