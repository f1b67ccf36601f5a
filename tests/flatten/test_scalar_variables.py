"""Second names of external variables."""

from models_from_text import translate


def test_external_variables_have_the_names_of_internal_ones():
    text = (
        "model class Part\n  external T, k\n  local x\n  der(x) = k*T\nend\n"
        "model M\n  submodel (Part) a\n  internal k = 2, T\n  der(T) = -T\nend\n"
    )
    model = translate(text)
    assert model.system.synonyms == {"a.T": "T"}  # a parameter has one name
    assert model.program.info.names["a.T"] == model.program.info.names["T"]
