"""Measures many simulators with a policy in numpy: Cutset's `Model.simulators`, MuJoCo's `rollout` on the same arms.

    python benchmarks/many.py [--markdown FILE] [--arms N] [--steps N] [--turns N]

A policy holds random arms near a pose: every 10 ms it computes the torques of all of them from their states, and both
programs go on in steps of 2 ms of the classical method of Runge and Kutta. The arms are one of two links, and
models/r3_arm.mo with torques. Times are those of the least of several turns; positions agree. The last row is the speed
of Cutset without a policy, in one call of `Model.batch`.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time

import numpy as np
from batch import _MODELS, mjcf
from sheets import Sheet, report

import cutset

try:
    import mujoco
    import mujoco.rollout
except ImportError:
    mujoco = None

_STEP, _EVERY = 2e-3, 1e-2
_TWO_LINKS = """
@mbssim

model Arm "two links in a vertical plane, driven by torques"
  input tau(2) (unit="N.m")
  submodel (Inertial) world(ng2=-1)
  submodel (Revolute) r1(n3=1), r2(n3=1)
  submodel (Bar) upper(r1=0.5)
  submodel (Body) m1(m=1, r1=0.25, I33=0.02), m2(m=0.8, r1=0.2, I33=0.01)
  submodel (JointForce) f(2)
  connect world to r1 to upper to r2, m1 at r1:b, m2 at r2:b, f(1) at r1:ext, f(2) at r2:ext
  f.f = tau
end
"""
_LINK = '<body pos="{} 0 0"><joint type="hinge" axis="0 0 1"/><inertial pos="{} 0 0" mass="{}" diaginertia="1 1 {}"/>'
_TWO_BODIES = (
    f'<mujoco><option gravity="0 -9.81 0"/><worldbody>{_LINK.format(0, 0.25, 1, 0.02)}'
    f"{_LINK.format(0.5, 0.2, 0.8, 0.01)}</body></body></worldbody></mujoco>"
)


@dataclass(frozen=True)
class Arm:
    """An arm with torques at its joints, as texts of both programs; the gains of a policy for angles and rates."""

    name: str
    joints: int
    text: str
    mjcf: str
    stiffness: tuple[float, ...]
    damping: tuple[float, ...]

    def policy(self, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        """The torques (n, joints)."""
        return np.array(self.stiffness) * (0.2 - q) - np.array(self.damping) * qd


def arms() -> list[Arm]:
    """The arm of two links, and the one of six axes."""
    head, _, rest = (_MODELS / "r3_arm.mo").read_text(encoding="utf-8").partition('damped joints"\n')
    forces = "  input tau(6)\n  submodel (JointForce) f(6)\n"
    ends = ", ".join(f"f({k}) at r{k}:ext" for k in range(1, 7))
    six = f'{head}damped joints"\n{forces}{rest.rpartition("end")[0]}  connect {ends}\n  f.f = tau\nend\n'
    return [
        Arm("two links", 2, _TWO_LINKS, _TWO_BODIES, (20, 10), (2, 1)),
        Arm("six axes (r3_arm.mo)", 6, six, mjcf(), (200, 200, 100, 20, 10, 5), (40, 40, 20, 4, 2, 1)),
    ]


def _actuated(arm: Arm) -> str:
    """The arm in MuJoCo's format with a motor at each joint, and these steps."""
    text, number = arm.mjcf, 0
    while "<joint type" in text:
        number += 1
        text = text.replace("<joint type", f'<joint name="j{number}" type', 1)
    motors = "".join(f'<motor joint="j{k + 1}"/>' for k in range(arm.joints))
    option = f'integrator="RK4" timestep="{_STEP}"'
    text = text.replace('timestep="0.001" integrator="RK4"', option).replace('-9.81 0"/>', f'-9.81 0" {option}/>')
    return text.replace("</mujoco>", f"<actuator>{motors}</actuator></mujoco>")


def by_cutset(arm: Arm, first: np.ndarray) -> Callable[[int], np.ndarray]:
    """A function that goes on by so many steps of the policy: the angles (n, joints)."""
    model = cutset.loads(arm.text)
    names = [f"r{k + 1}.{kind}" for kind in ("q", "qd") for k in range(arm.joints)]
    initial = {name: first[:, k] for k, name in enumerate(names)}
    sims = model.simulators(len(first), initial=initial, outputs=(), method="rk4", max_step=_STEP)
    order = [sims.states.index(name) for name in names]

    def go_on(steps: int) -> np.ndarray:
        for _ in range(steps):
            x = sims.x[:, order]
            sims.step(_EVERY, arm.policy(x[:, : arm.joints], x[:, arm.joints :]))
        assert not sims.failed
        return sims.x[:, order[: arm.joints]]

    return go_on


def by_mujoco(arm: Arm, first: np.ndarray) -> Callable[[int], np.ndarray]:
    """The same with MuJoCo."""
    model = mujoco.MjModel.from_xml_string(_actuated(arm))
    data = [mujoco.MjData(model) for _ in range(os.cpu_count() or 1)]
    pool = mujoco.rollout.Rollout(nthread=len(data))
    state = [np.hstack([np.zeros((len(first), 1)), first])]
    count = round(_EVERY / _STEP)

    def go_on(steps: int) -> np.ndarray:
        for _ in range(steps):
            q, qd = state[0][:, 1 : 1 + arm.joints], state[0][:, 1 + arm.joints : 1 + 2 * arm.joints]
            control = np.repeat(arm.policy(q, qd)[:, None], count, axis=1)
            found, _ = pool.rollout(model, data, initial_state=state[0], control=control, nstep=count)
            state[0] = found[:, -1].copy()
        return state[0][:, 1 : 1 + arm.joints]

    return go_on


def in_one_call(arm: Arm, first: np.ndarray) -> Callable[[int], None]:
    """A function that does as many steps without a policy."""
    model = cutset.loads(arm.text)
    initial = {f"r{k + 1}.q": first[:, k] for k in range(arm.joints)}

    def go_on(steps: int) -> None:
        model.batch(steps * _EVERY, initial=initial, outputs=model.states[:1], method="rk4", max_step=_STEP)

    return go_on


def sheet(arm: Arm, n: int, steps: int, turns: int) -> Sheet:
    """Steps of the policy and arms in a second. AssertionError if the programs are at different positions."""
    first = np.random.default_rng(1).normal(scale=0.2, size=(n, 2 * arm.joints))
    ways = {"cutset, simulators": by_cutset(arm, first), "cutset, batch without policy": in_one_call(arm, first)}
    if mujoco is not None:
        ways["MuJoCo, rollout"] = by_mujoco(arm, first)
    ends = [way(1) for way in ways.values()]
    assert len(ends) < 3 or np.abs(ends[0] - ends[2]).max() < 1e-6
    best = dict.fromkeys(ways, (np.inf, np.inf))
    for _ in range(turns):
        for name, way in ways.items():
            count = max(1, steps // 20) if name.startswith("MuJoCo") else steps
            began, used = perf_counter(), process_time()
            way(count)
            spent = (perf_counter() - began) / count, (process_time() - used) / count
            best[name] = min(best[name][0], spent[0]), min(best[name][1], spent[1])
    peer = best.get("MuJoCo, rollout", (np.nan, np.nan))
    rows = [
        [name, f"{1e-6 * n / wall:.3f}", f"{1e-6 * n / cpu:.3f}", f"{peer[0] / wall:.1f}", f"{peer[1] / cpu:.1f}"]
        for name, (wall, cpu) in best.items()
    ]
    columns = ("program", "million steps/s", "and per core", "times MuJoCo's", "per core")
    return Sheet(f"{n} arms, {arm.name}", columns, rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arms", type=int, default=4096, help="arms (default: 4096)")
    parser.add_argument("--steps", type=int, default=100, help="steps of the policy in a turn (default: 100)")
    parser.add_argument("--turns", type=int, default=3, help="turns (default: 3)")
    return report(
        parser,
        lambda options, compiler: (
            [sheet(arm, options.arms, options.steps, options.turns) for arm in arms()],
            [f"load of the machine: {os.getloadavg()[0]:.1f}, cores: {os.cpu_count()}"],
        ),
    )


if __name__ == "__main__":
    sys.exit(main())
