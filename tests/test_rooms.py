"""The house has rooms, and data flows through them one way: a room imports only rooms that stand before it."""

import ast
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "kumoc"
ROOMS = (
    "data",
    "diagnostics",
    "templating",
    "tables",
    "translation",
    "benchmark",
    "files",
    "models",
    "folding",
    "language",
    "generate",
    "compiler",
    "edition",
    "solve",
    "book",
    "views",
    "play",
    "release",
    "rewrite",
    "draft",
    "interop",
    "split",
    "editor",
    "evaluate",
    "harness",
    "cli",
)


def _room(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "kumoc" else None


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "kumoc":
            found |= {f"kumoc.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def test_a_room_imports_only_rooms_before_it() -> None:
    seen = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        if room.startswith("__"):
            continue
        assert room in ROOMS, f"{path} is in a room that the plan of the house does not show"
        for imported in {_room(module) for module in _imports(path)} & set(ROOMS):
            seen += imported != room
            assert ROOMS.index(imported) <= ROOMS.index(room), f"{path} imports {imported}"
    assert seen > 50


def test_every_room_of_the_plan_exists() -> None:
    for room in ROOMS:
        assert (PACKAGE / room).is_dir() or (PACKAGE / f"{room}.py").is_file()
