"""Docstrings name things by Sphinx's roles; on the site they are code, as other names are."""

import re
from typing import Any

from griffe import Extension, Object

_ROLE = re.compile(r":\w+:`~?(?P<name>[^`]+)`")


class Roles(Extension):
    """Shows a role such as ``:func:`generate``` as code."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Mend the docstring of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = _ROLE.sub(r"`\g<name>`", obj.docstring.value)
