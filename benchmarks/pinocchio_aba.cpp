/* Pinocchio's articulated-body algorithm called from C++, as often as wanted: what pinocchio_peer.py loads. In: a
   chain of revolute joints as plain numbers; out: accelerations. Of its two formulations the one that is faster here. */

#define BOOST_MPL_LIMIT_LIST_SIZE 30
#define BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>

#include <string>

namespace pin = pinocchio;
using Vector = Eigen::Map<const Eigen::VectorXd>;

namespace
{
struct Robot
{
    pin::Model model;
    pin::Data data;
    Eigen::VectorXd q, v, tau;
};

/* Joints about a coordinate axis have a type of their own, and faster code. */
pin::JointModel joint(const double *axis)
{
    if (axis[0] == 1.0) return pin::JointModelRX();
    if (axis[1] == 1.0) return pin::JointModelRY();
    if (axis[2] == 1.0) return pin::JointModelRZ();
    return pin::JointModelRevoluteUnaligned(Eigen::Vector3d(axis));
}

/* What the algorithm writes, and no more: the constructor from a model has second derivatives too, four arrays of n^3 numbers, which
   are 32 GB for 1000 joints. */
pin::Data workspace(const pin::Model &model)
{
    pin::Data data;
    const size_t n = model.njoints;
    for (size_t k = 0; k < n; k++) data.joints.push_back(model.joints[k].createData());
    data.oMi.assign(n, pin::SE3::Identity());
    data.liMi.assign(n, pin::SE3::Identity());
    for (auto *motions : {&data.v, &data.ov, &data.a, &data.oa, &data.a_gf, &data.oa_gf}) motions->assign(n, pin::Motion::Zero());
    for (auto *forces : {&data.f, &data.of, &data.h, &data.oh}) forces->assign(n, pin::Force::Zero());
    for (auto *inertias : {&data.Ycrb, &data.oYcrb, &data.oinertias}) inertias->assign(n, pin::Inertia::Zero());
    for (auto *matrices : {&data.Yaba, &data.oYaba}) matrices->assign(n, pin::Inertia::Matrix6::Zero());
    data.J.setZero(6, model.nv);
    for (auto *vector : {&data.u, &data.ddq, &data.tau, &data.nle}) vector->setZero(model.nv);
    data.a_gf[0] = -model.gravity;
    return data;
}
}

extern "C" {

/* axis, offset and centre: 3 numbers a joint; inertia about the centre: 9. A handle. */
void *create(long n, const double *axis, const double *offset, const double *mass, const double *centre,
             const double *inertia, const double *gravity)
{
    pin::Model model;
    model.gravity.linear() = Eigen::Vector3d(gravity);
    for (long k = 0; k < n; k++) {
        pin::SE3 place(Eigen::Matrix3d::Identity(), Eigen::Vector3d(offset + 3 * k));
        auto id = model.addJoint(k, joint(axis + 3 * k), place, "j" + std::to_string(k));
        pin::Inertia body(mass[k], Eigen::Vector3d(centre + 3 * k), Eigen::Matrix3d(inertia + 9 * k));
        model.appendBodyToJoint(id, body, pin::SE3::Identity());
    }
    return new Robot{model, workspace(model), Eigen::VectorXd(n), Eigen::VectorXd(n), Eigen::VectorXd(n)};
}

/* `number` evaluations at the rows (q, v, tau) in turn; the last accelerations. */
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
