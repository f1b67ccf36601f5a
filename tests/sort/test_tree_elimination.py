"""Systems of trees in `mbs`: as few products as the library `mbssim`, linear growth, and the accelerations of LU."""

from __future__ import annotations

import math
import random
from functools import lru_cache

import numpy as np
import pytest
from oracles.pose_digits import chains, digits, poses
from oracles.products import chain as chain_of_all
from oracles.random_loops import random_loop
from oracles.random_trees import random_tree
from oracles.translated import relative_error

import cutset
from cutset.compiler.expressions.pool import Pool
from cutset.compiler.expressions.same_values import SameValues
from cutset.compiler.sort.connection_tree import depths_of
from cutset.compiler.sort.elimination import Elimination

KINDS = ("Revolute", "Prismatic", "Cylindrical", "Universal", "Spherical")


def chain(n: int, order: random.Random | None = None) -> str:
    """Links with offsets in all directions and axes 1, 2, 3 in turn, in the library that is put in."""
    links = range(1, n + 1)
    connections = [f"j{k} to b{k}" for k in links] + [f"b{k} to j{k + 1}" for k in links if k < n]
    connections += [f"m{k} at j{k}:b" for k in links] + ["i to j1"]
    if order:
        order.shuffle(connections)
    return f"""@mbs
model Chain
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) {", ".join(f"j{k}(n{k % 3 + 1}=1)" for k in links)}
  submodel (Bar) {", ".join(f"b{k}(r1=0.1, r2=0.2, r3=0.3)" for k in links)}
  submodel (Body) {", ".join(f"m{k}(m=2, r1=0.05, r2=0.1, r3=0.15, I11=0.03, I22=0.03, I33=0.02)" for k in links)}
  connect {", ".join(connections)}
end"""


def tree(seed: int, joints: int) -> str:
    """Random joints along coordinate axes at random places of a tree."""
    drawn = random.Random(seed)
    lines, at = ["@mbs", "model T", "  submodel (Inertial) w(ng3=-1)"], ["w:a"]
    for k in range(1, joints + 1):
        kind, axis = drawn.choice(KINDS), drawn.randrange(3) + 1
        given = {"Universal": "(na1=1, nb2=1)", "Spherical": ""}.get(kind, f"(n{axis}=1)")
        r = [round(drawn.uniform(-0.5, 0.5), 2) for _ in range(3)]
        lines += [
            f"  submodel ({kind}) j{k}{given}",
            f"  submodel (Bar) b{k}(r1={r[0]}, r2={r[1]}, r3={r[2]})",
            f"  submodel (Body) m{k}(m={drawn.uniform(0.5, 3.0):.2f}, r1={r[0] / 2}, I11=0.3, I22=0.4, I33=0.25)",
            f"  connect j{k}:a at {drawn.choice(at)}, j{k} to b{k}, m{k} at j{k}:b",
        ]
        at.append(f"b{k}:b")
    return "\n".join([*lines, "end"])


@lru_cache
def load(text: str, library: str | None = None, *without: str) -> cutset.Model:
    """The model, translated once for all tests, with another library and without these passes."""
    own = text.partition("\n")[0].removeprefix("@")
    return cutset.loads(text, instead={own: library} if library else {}, without=without)


def products(text: str, library: str | None = None, *without: str) -> int:
    return load(text, library, *without).translated.statistics.mul_div


def slopes(text: str, seed: int, *without: str) -> dict[str, float]:
    """The derivatives of the states at a random point."""
    model = load(text, None, *without)
    given = {name: random.Random(f"{name} {seed}").uniform(-1.0, 1.0) for name in model.states}
    found = model.evaluate(0.0, list(given.values()), target="python")
    return dict(zip(model.states, found.tolist(), strict=True))


def assert_same(one: dict[str, float], other: dict[str, float], error: float) -> None:
    assert one.keys() == other.keys()
    size = max(map(abs, other.values()))
    assert max(abs(one[name] - other[name]) for name in one) < error * size


def test_products_grow_with_the_number_of_links() -> None:
    counts = [products(chain(n)) for n in (4, 6, 8)]
    assert counts[1] <= 820 and counts[2] - counts[1] <= counts[1] - counts[0] + 20 <= 2 * 184 + 20
    assert counts[1] <= 1.01 * products(chain(6), "mbssim")
    assert products(chain(8), None, "factors") > 1.7 * counts[2]


def test_the_order_of_the_text_does_not_matter() -> None:
    found = [products(chain(6, random.Random(seed))) for seed in range(2)]
    assert max(found) <= 1.02 * products(chain(6))


@pytest.mark.parametrize("seed", range(4))
def test_accelerations_are_those_of_the_torn_system(seed: int) -> None:
    text = tree(seed, 5)
    assert_same(slopes(text, seed), slopes(text, seed, "factors"), 1e-12)


def test_accelerations_near_a_singular_pose_have_the_digits_of_the_torn_system() -> None:
    """A pivot of the mass matrix would lose twice as many: 12 of 15 at 1e-6."""
    chain = dict(chains(0))["a wrist in the middle"]
    models = [load(chain.text("mbs"), None, *passes) for passes in ((), ("factors",))]
    assert products(chain.text("mbs")) < 0.9 * products(chain.text("mbs"), None, "factors")
    for distance, pose, expected in poses(chain, 0):
        ours, torn = (digits(model, pose, expected, "python") for model in models)
        assert ours > torn - 1.5 and ours > (13 if distance is None else 15.5 + math.log10(distance) - 2)


TABLE = """@mbs
model Table "two slides with friction that carry an eccentric rotor: one slides, one sticks"
  submodel (Inertial) world(ng=[-0.01, 0.2, -1])
  submodel (Prismatic) x(n=[1, 0, 0]), y(n=[0, 1, 0], qd0=0.3)
  submodel (Revolute) z(n=[0, 0, 1])
  submodel (CoulombFriction) fx(fc=5), fy(fc=1)
  submodel (Bar) bx, by, bz(r=[0.3, 0, 0])
  submodel (Body) m(m=1, I=diagonal([0.1, 0.1, 0.1])), mx(m=1), my(m=2)
  connect world to x to bx to y to by to z to bz to m, mx at bx:b, my at by:b, fx at x:ext, fy at y:ext
end"""


def test_a_factor_that_vanishes_in_a_mode_is_no_pivot() -> None:
    run, torn = (cutset.loads(TABLE, without=without).simulate(0.2) for without in ([], ["factors"]))
    assert run["fx.locked"][0] and not run["fy.locked"][0]
    for name in ("x.qdd", "y.qdd", "z.qdd", "fx.f", "fy.f"):
        assert run[name] == pytest.approx(torn[name], rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("seed", [2, 4])
def test_friction_that_locks_joints_is_eliminated_with_them(seed: int) -> None:
    """By the oracle's mass matrix: joints are at rest by a force within the greatest one, or slide against it."""
    tree = random_tree(seed, 3 + seed % 6, library="mbs", depth=0.7, rotors=bool(seed % 2))
    drawn = np.random.default_rng(seed)
    n, most = len(tree.joints), drawn.uniform(0.5, 30, len(tree.joints))
    q, qd = drawn.uniform(-3, 3, n), drawn.uniform(-3, 3, n) * (drawn.random(n) < 0.5)
    lines = [
        f"  submodel (CoulombFriction) c{k}(fc={float(most[k])!r})\n  connect c{k} at {name}:ext"
        for k, name in enumerate(tree.joints)
    ]
    model = cutset.loads(tree.text.replace("\nend\n", "\n" + "\n".join(lines) + "\nend\n"))
    assert max(model.translated.statistics.linear_systems)[1] <= 2
    run = model.simulate(0.0, initial=dict(zip((*tree.positions, *tree.velocities), (*q, *qd), strict=True)))
    qdd = np.array([run[f"der({name})"][-1] for name in tree.velocities])
    force, locked = (np.array([run[f"c{k}.{name}"][-1] for k in range(n)]) for name in ("f", "locked"))
    mass, given = tree.tree.equations(q, qd)
    assert mass @ qdd + force == pytest.approx(given, abs=1e-12 * np.abs(given).max())
    stuck = locked > 0.5
    assert 0 < stuck.sum() < n and np.all(qd[stuck] == 0) and np.abs(qdd[stuck]).max() < 1e-12 * np.abs(qdd).max()
    assert np.all(np.abs(force[stuck]) <= most[stuck])
    way = np.sign(np.where(qd == 0, qdd, qd))
    assert force[~stuck] == pytest.approx((way * most)[~stuck], rel=1e-9)


def test_friction_costs_little_more_than_in_mbssim() -> None:
    """There its equations are part of those of the joints."""
    text = chain_of_all(5, friction=True)
    assert products(text, "mbs") < 1.05 * products(text)


FLOATING = (
    chain(4)
    .replace("i to j1", "i to free to j1, m0 at free:b")
    .replace(
        "submodel (Inertial)",
        "submodel (FreeCardan) free\n  submodel (Body) m0(m=2, I11=0.3, I22=0.4, I33=0.5)\n  submodel (Inertial)",
    )
)


def test_a_mechanism_that_floats_is_a_tree() -> None:
    """The equations of its free joint are no part of its system."""
    model = load(FLOATING)
    assert max(model.translated.statistics.linear_systems)[1] == 0
    assert products(FLOATING) <= products(FLOATING, "mbssim")
    assert_same(slopes(FLOATING, 1), slopes(FLOATING, 1, "factors"), 1e-12)


def test_motion_in_loops_follows_from_the_forces_that_close_them() -> None:
    """Along the tree, with O(n + loops) products."""
    loop = chain(8).replace("  connect", "  submodel (CutSpherical) close\n  connect close at (i:a, b4:b),")
    counts = {way: cutset.loads(loop, without=way).translated.statistics for way in ((), ("factors",))}
    assert max(counts[()].linear_systems)[1] < max(counts[("factors",)].linear_systems)[1]
    assert counts[()].mul_div < 0.75 * counts[("factors",)].mul_div


def test_a_loop_closed_at_the_base_below_a_branch_is_solved_for_its_forces() -> None:
    """The sums at their node give them, and are no part of the block."""
    text = chain(11).replace("  connect", "  submodel (CutSpherical) close\n  connect close at (i:a, b10:b),")
    assert max(cutset.loads(text).translated.statistics.linear_systems)[1] == 3


def test_a_frame_whose_motion_is_found_later_is_no_base() -> None:
    """One of these loops was torn to 19."""
    loop = random_loop(1)
    model = cutset.loads(loop.text, instead={"mbssim": "mbs"})
    assert max(model.translated.statistics.linear_systems)[1] == 4
    run = model.simulate(0.0, target="python")
    found = np.array([run[f"der({name})"][0] for name in loop.tree.velocities])
    assert relative_error(found, loop.accelerations()) < 1e-13 * loop.condition


def test_depths() -> None:
    assert depths_of([("r", 1), (1, 2), (1, 3), (8, 9)], ["r"]) == {"r": 0, 1: 1, 2: 2, 3: 2}
    assert depths_of([("r", 1), (1, 2), (2, "r")], ["r"]) == {"r": 0, 1: 1, 2: 1}
    assert depths_of([("r", 1), (1, "s")], ["r", "s"]) == {"r": 0, "s": 0, 1: 1}


def test_equal_values_are_one_node() -> None:
    pool = Pool()
    x, y, z = map(pool.variable, "xyz")
    values = SameValues(pool, [x, y, z])
    s, c = pool.call("sin", x), pool.call("cos", x)
    assert values.add(values.mul(s, s), values.mul(c, c)) is pool.one
    product = values.mul(y, values.add(x, z))
    assert values.add(values.mul(x, y), values.mul(y, z)) is product
    assert values.sub(values.mul(pool.neg(z), y), values.mul(x, y)) is pool.neg(product)
    assert values.add(values.mul(x, x), y) is not values.add(values.mul(x, x), z)


def test_a_factor_without_a_sign_is_no_mass() -> None:
    """One in eight had the same sign at four states, and became zero in a mechanism in a plane."""
    pool = Pool()
    x, m = map(pool.variable, "xm")
    products = [pool.mul(x, pool.variable(f"y{k}")) for k in range(50)]
    mass = pool.add(pool.mul(m, m), pool.mul(x, x))
    rows = [{k: product} for k, product in enumerate(products)] + [{50: mass}]
    elimination = Elimination(pool, rows, [pool.zero] * 51, [""] * 51, {})
    assert [k for k in range(51) if elimination.is_mass(k, k)] == [50]
