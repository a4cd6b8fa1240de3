"""Where the program's own data files are: beside the package in a checkout, inside it in a wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).parent


def data_path(relative: str) -> Path:
    """The path of a data file such as ``"grammar/kumo.lark"``, in an installed wheel or in a checkout."""
    packaged = _PACKAGE / "_data" / relative
    return packaged if packaged.exists() else _PACKAGE.parent / relative
