"""Writes models that grow in one direction: ladders of resistors and capacitors, rows of clutches."""

from __future__ import annotations


def ladder_text(sections: int) -> str:
    """An object `Ladder`: a voltage step at one end, 10 Ohm and 1 uF in each section."""
    return _ladder("Ladder", sections, "(Capacitor) c{k}(C=1e-6)")


def resistors_text(sections: int) -> str:
    """An object `Resistors`: 1 V at one end, in each section 10 Ohm in series and 17 Ohm to ground."""
    return _ladder("Resistors", sections, "(Resistor) c{k}(R=17)")


def _ladder(name: str, sections: int, to_ground: str) -> str:
    lines = ["@electrical", "", f"model {name}", "  submodel (VConst) source(V=1)", "  submodel (Ground) g"]
    lines += [f"  submodel (Resistor) r{k}(R=10)\n  submodel {to_ground.format(k=k)}" for k in range(1, sections + 1)]
    joined = ["n0", *(f"n{k}" for k in range(1, sections + 1))]
    lines += ["  node " + ", ".join([*joined, "zero"]), "  connect source at (n0, zero), g at zero"]
    for k in range(1, sections + 1):
        lines.append(f"  connect r{k} at (n{k - 1}, n{k}), c{k} at (n{k}, zero)")
    return "\n".join([*lines, "end", ""])


def clutches_text(clutches: int) -> str:
    """An object `Clutches`: discs in a row, the first of which turns; the clutches between them close one after the
    other."""
    lines = ["@rotational", "@sources", "", "model Clutches", "  submodel (Inertia) j0(J=1, w0=10)"]
    for k in range(1, clutches + 1):
        lines.append(f"  submodel (Inertia) j{k}(J=1)")
        lines.append(f"  submodel (Clutch) c{k}(peak=1.1, fn_max=20)")
        lines.append(f"  submodel (Step) s{k}(t0={0.01 * k:g})")
    row = " to ".join(["j0", *(f"c{k} to j{k}" for k in range(1, clutches + 1))])
    steps = ", ".join(f"s{k} to c{k}:inp" for k in range(1, clutches + 1))
    return "\n".join([*lines, f"  connect {row}", f"  connect {steps}", "end", ""])


def grid_text(side: int, every: int) -> str:
    """An object `Grid`: side*side nodes joined by 10 Ohm, a voltage step at a corner. Of the nodes of each `every`-th
    diagonal, or of the main one if that is 0, 1 uF goes to ground; 1 kOhm of the others."""
    lines = ["@electrical", "", "model Grid", "  submodel (VConst) source(V=1)", "  submodel (Ground) g"]
    lines.append("  submodel (Resistor) inner(R=1)")
    joins = ["  connect source at (top, zero), g at zero, inner at (top, n0_0)"]
    for i in range(side):
        for j in range(side):
            for name, k, m in (("h", i, j + 1), ("v", i + 1, j)):
                if k < side and m < side:
                    lines.append(f"  submodel (Resistor) {name}{i}_{j}(R=10)")
                    joins.append(f"  connect {name}{i}_{j} at (n{i}_{j}, n{k}_{m})")
            stores = (i + j) % every == 0 if every else i == j
            lines.append(f"  submodel ({'Capacitor) c' if stores else 'Resistor) c'}{i}_{j}"
                         f"({'C=1e-6' if stores else 'R=1000'})")  # fmt: skip
            joins.append(f"  connect c{i}_{j} at (n{i}_{j}, zero)")
    nodes = ", ".join(f"n{i}_{j}" for i in range(side) for j in range(side))
    return "\n".join([*lines, f"  node top, zero, {nodes}", *joins, "end", ""])
