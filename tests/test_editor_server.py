"""The language server as editors meet it: a process of its own, spoken to in JSON-RPC."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kumoc.cli import cli
from tests import test_editor_names
from tests.editor_client import Editor, ServerError, position
from tests.test_editor_names import MINT

ORES = test_editor_names.ORES.replace("Galena-like", "no smell")
"""A file in which nothing is wrong."""
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
STYLE = {"tabSize": 2, "insertSpaces": True}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two files, of which one names the other's domain, and some that are none of the workspace's."""
    folder = tmp_path_factory.mktemp("Erze und é").resolve()
    (folder / "ores.kumo").write_text(ORES, encoding="utf-8")
    (folder / "mint.kumo").write_text(MINT, encoding="utf-8")
    for passed_over in (".venv", "node_modules"):
        (folder / passed_over).mkdir()
        shutil.copy(folder / "ores.kumo", folder / passed_over)
    return folder


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Editor]:
    with Editor(folder) as editor:
        editor.open(folder / "ores.kumo")
        yield editor


def where(text: str, found: list[dict[str, Any]]) -> list[str]:
    """The pieces of ``text`` (in which columns are UTF-16 units) at some ranges."""
    lines = [line.encode("utf-16-le") for line in text.split("\n")]
    pieces = []
    for each in found:
        start, end = each["range"]["start"], each["range"]["end"]
        assert start["line"] == end["line"]
        pieces.append(lines[start["line"]][2 * start["character"] : 2 * end["character"]].decode("utf-16-le"))
    return pieces


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    lines = text.split("\n")

    def offset(place: dict[str, int]) -> int:
        return sum(len(line) + 1 for line in lines[: place["line"]]) + place["character"]

    for edit in sorted(edits, key=lambda edit: offset(edit["range"]["start"]), reverse=True):
        text = text[: offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]) :]
    return text


def test_names_lead_to_where_they_are_declared_and_used(editor: Editor, folder: Path) -> None:
    ores, mint = folder / "ores.kumo", folder / "mint.kumo"
    (declared,) = editor.about("definition", ores, position=position(ORES, "rules out so|ft"))
    assert declared["uri"] == ores.as_uri() and where(ORES, [declared]) == ["soft"]
    assert (declared["range"]["start"]["line"], declared["range"]["start"]["character"]) == position(ORES, "soft ")
    used = editor.about("references", ores, position=position(ORES, "Galena"), context={"includeDeclaration": False})
    assert used == []  # it stands in a comment there
    used = editor.about("references", ores, position=position(ORES, "|Galena   "), context={"includeDeclaration": True})
    assert where(ORES, used) == ["Galena"] * 4
    everywhere = editor.about(
        "references", ores, position=position(ORES, "domain |ores"), context={"includeDeclaration": False}
    )
    assert [each["uri"] for each in everywhere] == [mint.as_uri()] and where(MINT, everywhere) == ["ores"]


def test_names_are_described_and_so_is_what_is_wrong(editor: Editor, folder: Path) -> None:
    ores = folder / "ores.kumo"
    said = editor.about("hover", ores, position=position(ORES, "|Talc "))["contents"]
    assert said["kind"] == "markdown" and "Ruled out by" in said["value"]
    assert editor.about("hover", ores, position=position(ORES, "|# Ores")) is None
    wrong = ORES.replace("rules out soft", "rules out sift")
    editor.change(ores, wrong)
    said = editor.about("hover", ores, position=position(wrong, "|sift"))["contents"]["value"]
    assert said.startswith("# K201 unknown-name")
    editor.change(ores, ORES.replace("# Ores", "# K606 ores"))
    said = editor.about("hover", ores, position=position("# K606", "|K606"))["contents"]["value"]
    assert said.startswith("# K606 unused-name")
    editor.change(ores, ORES)


def test_what_is_wrong_is_told_while_typing_with_its_fix(editor: Editor, folder: Path) -> None:
    ores = folder / "ores.kumo"
    wrong = ORES.replace('Pyrite, "Fool\'s gold"', 'Pyrit, "Fools gold"')
    editor.change(ores, wrong.replace("Pyrit,", "Pyr,"))
    editor.change(ores, wrong)  # at once: of the text between nothing is told
    found = editor.diagnostics(ores)
    assert [each["code"] for each in found] == ["K201 unknown-name"] * 2
    assert where(wrong, found) == ["Pyrit", '"Fools gold"']
    assert found[0]["message"].endswith("did you mean 'Pyrite'?")
    assert found[0]["severity"] == 1 and found[0]["source"] == "kumoc"
    actions = editor.about("codeAction", ores, range=WHOLE, context={"diagnostics": found})
    assert [action["title"] for action in actions] == ["Change to Pyrite", 'Change to "Fool\'s gold"']
    assert all(action["kind"] == "quickfix" and action["diagnostics"][0] in found for action in actions)
    edits = [edit for action in actions for edit in action["edit"]["changes"][ores.as_uri()]]
    assert applied(wrong, edits) == ORES
    nowhere = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}
    assert editor.about("codeAction", ores, range=nowhere, context={"diagnostics": []}) == []
    editor.change(ores, ORES)
    assert editor.diagnostics(ores) == []


def test_what_one_file_breaks_in_another_is_told_there(editor: Editor, folder: Path) -> None:
    ores, mint = folder / "ores.kumo", folder / "mint.kumo"
    editor.change(ores, ORES.replace("domain ores", "domain ore"))
    (found,) = editor.diagnostics(mint)
    assert found["code"].startswith("K201") and where(MINT, [found]) == ["ores"]
    editor.change(ores, ORES)
    assert editor.diagnostics(mint) == []
    editor.open(mint, MINT.replace("truths 3  actions 2", "truths 5  actions 1"))
    (found,) = editor.diagnostics(mint)
    assert found["code"] == "K502 impossible-size"
    editor.close(mint)
    assert editor.diagnostics(mint) == []


def test_files_that_change_on_disk_are_read_again(editor: Editor, folder: Path) -> None:
    more = folder / "more.kumo"
    more.write_text(MINT.replace("mint", "more").replace("domains ores", "domains gems"), encoding="utf-8")
    editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": more.as_uri(), "type": 1}])
    (found,) = editor.diagnostics(more)
    assert "'gems'" in found["message"]
    more.write_bytes(b"\xff")
    editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": more.as_uri(), "type": 2}])
    assert [each["code"] for each in editor.diagnostics(more)] == ["K002 not-utf-8"]
    more.unlink()
    editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": more.as_uri(), "type": 3}])
    assert editor.diagnostics(more) == []


def test_renaming_changes_every_file_or_says_why_not(editor: Editor, folder: Path) -> None:
    ores, mint = folder / "ores.kumo", folder / "mint.kumo"
    spot = position(ORES, "domain o|res")
    prepared = editor.about("prepareRename", ores, position=spot)
    assert prepared["placeholder"] == "ores" and where(ORES, [prepared]) == ["ores"]
    changes = editor.about("rename", ores, position=spot, newName="minerals")["changes"]
    assert applied(ORES, changes[ores.as_uri()]) == ORES.replace("domain ores", "domain minerals")
    assert applied(MINT, changes[mint.as_uri()]) == MINT.replace("ores", "minerals")
    with pytest.raises(ServerError, match="the truth 'Pyrite' is declared twice"):
        editor.about("rename", ores, position=position(ORES, "|Galena   "), newName="Pyrite")
    assert editor.about("prepareRename", ores, position=(0, 0)) is None


def test_what_may_come_next_comes_with_the_edit_that_writes_it(editor: Editor, folder: Path) -> None:
    ores = folder / "ores.kumo"
    half = ORES.replace("rules out soft, Galena", 'rules out soft, "Foo')
    editor.change(ores, half)
    items = editor.about("completion", ores, position=position(half, '"Foo|\n'))
    (chosen,) = [item for item in items if item["label"] == "Fool's gold"]
    assert chosen["detail"] == "truth" and chosen["filterText"] == '"Fool\'s gold"'
    assert applied(half, [chosen["textEdit"]]) == half.replace('"Foo\n', '"Fool\'s gold"\n')
    editor.change(ores, ORES)


def test_parts_folds_and_hints(editor: Editor, folder: Path) -> None:
    ores = folder / "ores.kumo"
    (domain,) = editor.about("documentSymbol", ores)
    assert [each["name"] for each in domain["children"]][-2:] == ["truths", "actions"]
    folds = editor.about("foldingRange", ores)
    assert {"startLine": 1, "endLine": ORES.count("\n") - 2} in folds
    hints = editor.about("inlayHint", ores, range=WHOLE)
    (soft,) = [hint for hint in hints if hint["label"] == "= Talc"]
    assert (soft["position"]["line"], soft["position"]["character"]) == position(ORES, 'but sulfides, "Magnetite"|')


def test_a_file_is_formatted_unless_its_syntax_is_broken(editor: Editor, folder: Path) -> None:
    ores = folder / "ores.kumo"
    editor.change(ores, untidy := ORES.replace("  group soft", "\tgroup     soft"))
    tidy = applied(untidy, editor.about("formatting", ores, options=STYLE))
    assert "  group soft" in tidy and "\t" not in tidy
    editor.change(ores, tidy)
    assert editor.about("formatting", ores, options=STYLE) == []
    editor.change(ores, ORES.replace("rules out", "rules", 1))
    assert editor.about("formatting", ores, options=STYLE) == []
    editor.change(ores, ORES)


@pytest.mark.parametrize(("offered", "width"), [(None, 2), (["utf-8", "utf-16"], 4)])
def test_columns_are_counted_in_the_units_that_were_agreed_on(
    tmp_path: Path, offered: list[str] | None, width: int
) -> None:
    text = ORES.replace('"smells" rules', '"😋" rules')
    capabilities = {"general": {"positionEncodings": offered}} if offered else {}
    with Editor(None, **capabilities) as editor:
        file = tmp_path / "😋 x.kumo"
        editor.open(file, text)
        assert editor.server["capabilities"]["positionEncoding"] == (offered or ["utf-16"])[0]
        line, column = text.count("\n", 0, text.index("😋")), len('      "" rules out ') + width
        (found,) = editor.about("definition", file, position=(line, column))
        assert found["range"]["start"]["line"] == position(text, "group |soft")[0]
        used = editor.about("references", file, position=(line, column), context={"includeDeclaration": False})
        assert [each["range"]["start"]["character"] for each in used if each["range"]["start"]["line"] == line] == [
            column
        ]


def test_a_server_watches_files_if_the_client_can_and_says_good_bye(tmp_path: Path) -> None:
    (tmp_path / "wrong.kumo").write_text("domain", encoding="utf-8")
    watched = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
    with Editor(tmp_path, workspace=watched) as editor:
        assert len(editor.diagnostics(tmp_path / "wrong.kumo")) == 1
        (asked,) = [each for each in editor.heard if each["method"] == "client/registerCapability"]
        assert asked["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        assert editor.about("hover", tmp_path / "unknown.kumo", position=(0, 0)) is None
        assert editor.stop() == (0, "")


def test_without_the_extra_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "kumoc.editor.server", raising=False)
    monkeypatch.setitem(sys.modules, "lsprotocol", None)
    result = CliRunner().invoke(cli, ["lsp"], standalone_mode=False)
    assert result.return_value == 1 and "kumoc[editor]" in result.stderr
