"""Quoted names from the text of a model to everything that shows them."""

from __future__ import annotations

import csv
import math
import zipfile
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import cutset
from cutset.api.command_line.command import main

MODEL = """
model class 'RC, 1st=order'
  parameter 'T*/ 1' (unit="s") = 2
  output '<b>&V.out(1)'
  local '$w' (2)
  'T*/ 1'*der('<b>&V.out(1)') + '<b>&V.out(1)' = 1
  '$w' = [1, 2]*'<b>&V.out(1)'
end
model 'a-b'
  submodel ('RC, 1st=order') 'x,y=1.5', 'x,y=1'
end
"""
NAME, OTHER = "'x,y=1.5'.'<b>&V.out(1)'", "'x,y=1'.'<b>&V.out(1)'"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "quoted.mo"
    path.write_text(MODEL, encoding="utf-8")
    return path


def test_the_command_line_finds_them(file, capsys):
    table, plot = file.with_suffix(".csv"), file.with_suffix(".svg")
    words = ["simulate", str(file), "--stop", "4", "--points", "3", "--rtol", "1e-9", "-o", str(table)]
    words += ["--set", "'x,y=1.5'.'T*/ 1'=4", "--outputs", f"{NAME},{OTHER}", "--outputs", "'x,y=1'.'$*"]
    assert main([*words, "--plot", f"{NAME},{OTHER}", "--save", str(plot)]) == 0
    header, *rows = csv.reader(table.read_text().splitlines())
    assert header == ["time", NAME, OTHER, "'x,y=1'.'$w'(1)", "'x,y=1'.'$w'(2)"]
    last = [float(number) for number in rows[-1]]
    assert last[1:] == pytest.approx([1 - math.exp(-1), *(k * (1 - math.exp(-2)) for k in (1, 1, 2))], abs=1e-7)
    assert "<b>" not in plot.read_text() and len(ET.parse(plot).getroot()) > 0


def test_results_and_their_tables_have_them(file):
    run = cutset.load(file).simulate(stop=1)
    assert run[NAME][-1] == pytest.approx(1 - math.exp(-0.5), abs=1e-4)
    assert "'x,y=1.5'.'$w'(2)" in run.names()


def test_a_model_description_has_them(file):
    model = cutset.load(file)
    files = {version: model.export_fmu(file.with_suffix(f".{version}.fmu"), version) for version in (2, 3)}
    for archive in files.values():
        root = ET.fromstring(zipfile.ZipFile(archive).read("modelDescription.xml"))
        assert root.get("modelName") == "'a-b'"
        found = {variable.get("name") for variable in root.find("ModelVariables").iter()}
        assert {NAME, OTHER, "'x,y=1'.'$w'(2)", "'x,y=1'.'T*/ 1'"} <= found
