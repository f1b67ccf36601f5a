"""Writes a chain of revolute links of any length, the model with which growth is measured."""

from __future__ import annotations

_AXES = ("n1=1", "n2=1", "n3=1")


def chain_text(links: int) -> str:
    """An object `Chain` of `links` revolute joints about x, y, z in turn, each followed by a body and a bar."""
    lines = ["@mbssim", "", "model Chain", "  submodel (Inertial) i(ng3=-1, g=9.81)"]
    for k in range(1, links + 1):
        lines.append(f"  submodel (Revolute) r{k}({_AXES[k % 3]}, q0={0.1 * (k % 7)})")
        lines.append(f"  submodel (Bar) b{k}(r1=0.1, r3=0.3)")
        lines.append(f"  submodel (Body) m{k}(m=2.5, r1=0.05, r3=0.15, I11=0.02, I22=0.03, I33=0.01, I31=0.002)")
    chain = " to ".join(["i", *(f"r{k} to b{k}" for k in range(1, links + 1))])
    bodies = ", ".join(f"m{k} at r{k}:b" for k in range(1, links + 1))
    return "\n".join([*lines, f"  connect {chain}", f"  connect {bodies}", "end", ""])
