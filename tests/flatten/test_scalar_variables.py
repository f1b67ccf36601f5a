"""Second names of one scalar: in symmetric matrices, and of external variables."""

from models_from_text import translate


def test_the_lower_triangle_of_a_symmetric_matrix_has_the_names_of_the_upper():
    model = translate("model M\n  local S(3,3) (symmetric), A(2,2)\n  der(S) = -S\n  der(A) = -A\nend\n")
    assert model.system.synonyms == {"S(2,1)": "S(1,2)", "S(3,1)": "S(1,3)", "S(3,2)": "S(2,3)"}
    assert model.program.info.names["S(3,1)"] == model.program.info.names["S(1,3)"]


def test_external_variables_have_the_names_of_internal_ones():
    text = (
        "model class Part\n  external T, k\n  local x\n  der(x) = k*T\nend\n"
        "model M\n  submodel (Part) a\n  internal k = 2, T\n  der(T) = -T\nend\n"
    )
    model = translate(text)
    assert model.system.synonyms == {"a.T": "T"}  # a parameter has one name
    assert model.program.info.names["a.T"] == model.program.info.names["T"]
