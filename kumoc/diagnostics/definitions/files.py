"""Files."""

from kumoc.diagnostics.definition import define
from kumoc.diagnostics.rules import (
    FILE_TOO_LARGE,
    NOT_UTF_8,
    NOTHING_TO_COMPILE,
    UNREADABLE_FILE,
)

DEFINITIONS = (
    define(
        UNREADABLE_FILE,
        "a file can't be opened",
        what="""
        A path that was given, or a file in a folder that was given, could not be opened. The message repeats what the
        operating system says.
        """,
        why="Nothing is built from files that were not all read: a benchmark may name a domain of any of them.",
        bad="""
        $ kumoc check minerls.kumo
        error[K001 unreadable-file]: can't read this file: No such file or directory
          --> minerls.kumo
        """,
        advice="Check the spelling of the path, the folder you are in, and that you may read the file.",
    ),
    define(
        NOT_UTF_8,
        "a file is not UTF-8",
        what="The file holds bytes that are not UTF-8. The message gives the line and the first such byte.",
        why="""
        Source text is UTF-8, with or without a byte order mark. Another encoding would turn names into other names
        without a word.
        """,
        bad="""
        $ kumoc check tea.kumo
        error[K002 not-utf-8]: line 12 is not UTF-8 (byte 301 is 0xe9)
          --> tea.kumo
          = help: save the file with the encoding UTF-8
        """,
        advice="""
        Save the file as UTF-8 in your editor, or convert it: `iconv -f latin1 -t utf-8 tea.kumo > tea-utf8.kumo`.
        """,
    ),
    define(
        FILE_TOO_LARGE,
        "a file has more than a megabyte",
        what="The file is larger than a megabyte (1,000,000 bytes). It is not read.",
        why="""
        A domain is about a page of text. A file this large is a mistake, such as a path that names something else.
        """,
        bad="""
        $ kumoc check dump.kumo
        error[K003 file-too-large]: this file has more than 1,000,000 bytes
          --> dump.kumo
          = help: put each domain into a file of its own
        """,
        advice="Put each domain into a file of its own; files that are given together are compiled together.",
    ),
    define(
        NOTHING_TO_COMPILE,
        "a file declares nothing, or a folder holds no file",
        what="A file declares neither a domain nor a benchmark, or a folder holds no `.kumo` file.",
        why="An empty file that passed would look like a domain that is sound.",
        bad="""
        $ kumoc check empty.kumo
        error[K004 nothing-to-compile]: this file declares nothing
          --> empty.kumo
          = help: declare a domain or a benchmark in it
        """,
        advice="Give the path of a file that declares something, or a folder with such files in it or below it.",
    ),
)
