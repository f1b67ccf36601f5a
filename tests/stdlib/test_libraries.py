"""What holds for the libraries together."""

from __future__ import annotations

import cutset


def test_libraries_of_one_drive_go_together(write_model):
    text = "@electrical\n@thermal\n@rotational\n@sources\n@translational as tra\n@mbssim as mbs\nmodel Nothing\nlocal x\nx = time\nend\n"
    assert cutset.load(write_model(text)).states == ()
