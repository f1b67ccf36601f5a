"""Refuses what needs a package that is not installed."""

from importlib.util import find_spec


def need_package(package: str, what: str, instead: str = "") -> None:
    """RunError E647 if the package is not installed: `what` needs it, and `instead` is another way."""
    if find_spec(package) is None:
        from cutset.runtime.errors import RunError

        hint = f"install it: pip install {package}{instead}"
        raise RunError("E647", f"{what} need the package {package}, which is not installed", hint)
