"""``make verify``: the objects of models/, and what is printed for each."""

from __future__ import annotations

import verify_models


def test_a_line_tells_of_each_object_of_the_models():
    assert {which.name for which in verify_models.objects("r3_inverse.mo")} == {"R3direct", "R3inverse"}
    (pendulum,) = verify_models.objects("cartesian_pendulum.mo")
    passed, line = verify_models.verified(pendulum, points=1, stop=0.0)
    assert passed and line.startswith("models/cartesian_pendulum.mo CartesianPendulum ") and "\n" not in line
