"""Ends of runs come together as the tolerance is tightened, from starts that are drawn."""

import random

import pytest

from cases.convergence import converges, distances, subjects

# Some that translate soon; `python tests/cases/convergence.py` tries them all.
SOME = (
    "shafts:Freewheel",
    "sliders:Stops",
    "ideal_diodes:CharacteristicIdealDiodes",
    "plain_equations:VanDerPol",
    "rc:RC",
)
CHOSEN = [subject for subject in subjects() if str(subject) in SOME]


@pytest.mark.parametrize("subject", CHOSEN, ids=str)
def test_the_end_is_that_of_the_solution(subject):
    apart = distances(subject, random.Random(1))
    assert converges(apart), apart


def test_what_does_not_converge_is_told():
    assert converges([1e-3, 1e-5, 1e-7]) and converges([0.9, 0.1, 1e-2])
    assert not converges([1e-3, 1e-3, 1e-3]) and not converges([1e-7, 1e-2, 1e-7])
