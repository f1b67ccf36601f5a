/* A chain of revolute joints for Pinocchio, from plain numbers: its model, and work memory for its articulated-body
   algorithm. For numbers (pinocchio_aba.cpp) and symbols (pinocchio_sx.cpp). */

#pragma once

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>

#include <string>

namespace pin = pinocchio;

/* Joints about a coordinate axis have a special type with faster code. */
inline pin::JointModel joint(const double *axis)
{
    if (axis[0] == 1.0) return pin::JointModelRX();
    if (axis[1] == 1.0) return pin::JointModelRY();
    if (axis[2] == 1.0) return pin::JointModelRZ();
    return pin::JointModelRevoluteUnaligned(Eigen::Vector3d(axis));
}

/* axis, offset and center: 3 numbers per joint; inertia about the center: 9. */
inline pin::Model chain(long n, const double *axis, const double *offset, const double *mass, const double *center,
                        const double *inertia, const double *gravity)
{
    pin::Model model;
    model.gravity.linear() = Eigen::Vector3d(gravity);
    for (long k = 0; k < n; k++) {
        pin::SE3 place(Eigen::Matrix3d::Identity(), Eigen::Vector3d(offset + 3 * k));
        auto id = model.addJoint(k, joint(axis + 3 * k), place, "j" + std::to_string(k));
        pin::Inertia body(mass[k], Eigen::Vector3d(center + 3 * k), Eigen::Matrix3d(inertia + 9 * k));
        model.appendBodyToJoint(id, body, pin::SE3::Identity());
    }
    return model;
}

/* Only what the algorithm writes: the constructor from a model also allocates second derivatives, four arrays of n^3
   numbers, which are 32 GB for 1000 joints. */
template <typename Scalar> pin::DataTpl<Scalar> workspace(const pin::ModelTpl<Scalar> &model)
{
    using Data = pin::DataTpl<Scalar>;
    using SE3 = pin::SE3Tpl<Scalar>;
    using Motion = pin::MotionTpl<Scalar>;
    using Force = pin::ForceTpl<Scalar>;
    using Inertia = pin::InertiaTpl<Scalar>;
    Data data;
    const size_t n = model.njoints;
    for (size_t k = 0; k < n; k++) data.joints.push_back(model.joints[k].createData());
    data.oMi.assign(n, SE3::Identity());
    data.liMi.assign(n, SE3::Identity());
    for (auto *motions : {&data.v, &data.ov, &data.a, &data.oa, &data.a_gf, &data.oa_gf}) motions->assign(n, Motion::Zero());
    for (auto *forces : {&data.f, &data.of, &data.h, &data.oh}) forces->assign(n, Force::Zero());
    for (auto *inertias : {&data.Ycrb, &data.oYcrb, &data.oinertias}) inertias->assign(n, Inertia::Zero());
    for (auto *matrices : {&data.Yaba, &data.oYaba}) matrices->assign(n, Inertia::Matrix6::Zero());
    data.J.setZero(6, model.nv);
    for (auto *vector : {&data.u, &data.ddq, &data.tau, &data.nle}) vector->setZero(model.nv);
    data.a_gf[0] = -model.gravity;
    return data;
}
