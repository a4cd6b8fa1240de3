"""From the parser's trees to syntax nodes.

The grammar nests to a fixed depth, so plain recursion is safe.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from lark import Token, Tree

from kumoc.diagnostics import Diagnostic, Place, Rule, Source, Span
from kumoc.diagnostics.rules import BAD_NAME, BAD_STRING, SYNTAX_ERROR
from kumoc.language import syntax
from kumoc.language.words import fault_of_name, fault_of_text, is_quoted, plain, possible_names

Node = Tree[Token]


def build(source: Source, tree: Node, lost: Sequence[Token]) -> tuple[syntax.File, list[Diagnostic]]:
    """The file that ``tree`` stands for, and the errors in its strings and numbers.

    ``lost`` are the tokens of parts that could not be parsed: nodes that held them are marked as damaged.
    """
    builder = _Builder(source, lost)
    declarations = tuple(builder.declaration(node) for node in _trees(tree))
    lost_words = [word for token in lost for word in possible_names(token)]
    return syntax.File(declarations, frozenset(lost_words + builder.doubtful)), builder.problems


class _Builder:
    def __init__(self, source: Source, lost: Sequence[Token]) -> None:
        self.source = source
        self.lost = sorted(token.start_pos or 0 for token in lost)
        self.problems: list[Diagnostic] = []
        self.doubtful: list[str] = []  # names that may have been meant

    def declaration(self, node: Node) -> syntax.Domain | syntax.Benchmark | syntax.Translation:
        match node.data:
            case "domain":
                return self.domain(node)
            case "translation":
                return self.translation(node)
        return self.benchmark(node)

    # ---- domains

    def domain(self, node: Node) -> syntax.Domain:
        texts, before = _trees(node, "text"), len(self.problems)
        return syntax.Domain(
            name=self.name(_tree(node, "name")),
            title=self.word(texts[0]) if texts else None,
            members=tuple(self.member(child) for child in _trees(node) if child.data not in ("name", "text")),
            span=_head(node),
            extent=_span(node),
            damaged=self.damaged(node),
            faulty=len(self.problems) > before,
        )

    def member(self, node: Node) -> syntax.Member:
        match node.data:
            case "property":
                return syntax.Property(self.name(_tree(node, "name")), self.type(_trees(node)[1]), _span(node))
            case "truths":
                one, many = (self.name(text) for text in _trees(node, "text"))
                self._check_apart(_trees(node, "truth"))
                return syntax.Truths(one, many, tuple(map(self.truth, _trees(node, "truth"))), _span(node))
            case "group":
                return syntax.Group(self.name(_tree(node, "name")), self.set(_tree(node, "set")), _span(node))
            case "actions":
                one, many = (self.name(text) for text in _trees(node, "text"))
                return syntax.Actions(one, many, tuple(map(self.action, _trees(node, "action"))), _span(node))
        return self.setting(node)

    def type(self, node: Node) -> syntax.NumberType | syntax.ChoiceType:
        match node.data:
            case "number_type":
                return self.number_type(node)
            case "yes_no_type":
                words = [child for child in _tokens(node) if child.type != "OR"]
                return syntax.ChoiceType(tuple(syntax.Word(str(word), _span(word), quoted=False) for word in words))
        return syntax.ChoiceType(tuple(self.name(name) for name in _trees(node, "name")))

    def number_type(self, node: Node) -> syntax.NumberType:
        units, decimals = _trees(node, "unit"), _trees(node, "decimals")
        return syntax.NumberType(
            scale=self.interval(_tree(node, "range")),
            unit=self.name(_tree(units[0], "text")) if units else None,
            decimals=self.number(_tree(decimals[0], "number")) if decimals else None,
        )

    def truth(self, node: Node) -> syntax.Truth:
        facts, descriptions = _trees(node, "facts"), _trees(node, "description")
        return syntax.Truth(
            name=self.name(_tree(node, "opening")),
            facts=tuple(self.fact(fact) for fact in _trees(facts[0])) if facts else (),
            description=self.word(descriptions[0]) if descriptions else None,
            extent=_span(node),
        )

    def fact(self, node: Node) -> syntax.Fact:
        values = tuple(self.value(_only(value)) for value in _trees(node, "value"))
        return syntax.Fact(self.word(_tree(node, "name")), values)

    def value(self, item: Node | Token) -> syntax.FactValue:
        if isinstance(item, Token):
            any_value = item.type == "ANY"
            return syntax.AnyValue(_span(item)) if any_value else syntax.Word(str(item), _span(item), quoted=False)
        match item.data:
            case "number":
                return self.number(item)
            case "range":
                return self.interval(item)
        return self.word(item)

    def action(self, node: Node) -> syntax.Action:
        descriptions, body = _trees(node, "description"), _trees(node)[-1]
        unscaled = _trees(body, "range_outcome") if body.data == "labelled" else []
        head = Span(_span(node).start, _span(body.children[0]).end)
        if unscaled and not self.has_lost(head):  # else the scale may be what was lost
            help_ = "write `number lo..hi` before the '{'"
            self._problem(SYNTAX_ERROR, "ranges need the scale that they divide", _span(unscaled[0].children[0]), help_)
        return syntax.Action(
            name=self.name(_tree(node, "opening")),
            description=self.word(descriptions[0]) if descriptions else None,
            body=self.body(body),
            extent=_span(node),
            damaged=bool(unscaled) or self.damaged(node),
        )

    def body(self, node: Node) -> syntax.Body:
        match node.data:
            case "observes":
                labels = tuple(self.name(text) for text in _trees(node, "text"))
                return syntax.Observes(self.word(_tree(node, "name")), labels)
            case "measures":
                cuts = tuple(self.number(number) for number in _trees(node, "number"))
                return syntax.Measures(self.word(_tree(node, "name")), cuts)
            case "labelled" if labelled := _trees(node, "label_outcome"):
                return syntax.Labelled(
                    tuple(
                        syntax.LabelOutcome(self.name(_tree(child, "opening")), self.set(_tree(child, "set")))
                        for child in labelled
                    )
                )
            case "labelled" if not _trees(node, "range_outcome"):
                return syntax.Labelled(())
        return syntax.Measured(
            self.number_type(node) if node.data == "measured" else None,
            tuple(
                syntax.RangeOutcome(self.interval(_tree(child, "range")), self.set(_tree(child, "set")))
                for child in _trees(node, "range_outcome")
            ),
        )

    def set(self, node: Node) -> syntax.SetExpression:
        included: list[syntax.Word | syntax.Everything] = []
        excepted: list[syntax.Word | syntax.Everything] | None = None
        for item in _trees(node, "set_item"):
            kinds = [token.type for token in _tokens(item)]
            if "BUT" in kinds:
                if excepted is not None:
                    message = "'all but' stands a second time in this list"
                    self._problem(SYNTAX_ERROR, message, _span(item), "what follows 'all but' is excepted, to the end")
                excepted = excepted or []
            target = included if excepted is None else excepted
            if names := _trees(item, "name"):
                target.append(self.word(names[0]))
            elif "ALL" in kinds:
                target.append(syntax.Everything())
        return syntax.SetExpression(tuple(included), None if excepted is None else tuple(excepted), _span(node))

    # ---- translations

    def translation(self, node: Node) -> syntax.Translation:
        domain, language = _trees(node, "name")
        titles = _trees(node, "text")
        members = [child for child in _trees(node) if child.data not in ("name", "text")]
        return syntax.Translation(
            domain=self.word(domain),
            language=self.word(language),
            title=self.word(titles[0]) if titles else None,
            members=tuple(
                self.setting(child) if child.data in ("topic", "goal") else self.wordings(child) for child in members
            ),
            span=Span(_span(node).start, _span(language).end),
            extent=_span(node),
            damaged=self.damaged(node),
        )

    def wordings(self, node: Node) -> syntax.Wordings:
        keyword = _tokens(node)[0]
        return syntax.Wordings(
            keyword=str(keyword),
            nouns=tuple(self.name(text) for text in _trees(node, "text")),
            entries=tuple(self.wording(child) for child in _trees(node, "wording")),
            span=_span(keyword),
            extent=_span(node),
        )

    def wording(self, node: Node) -> syntax.Wording:
        text, *descriptions = (token for token in _tokens(node) if token.type == "STRING")
        return syntax.Wording(
            name=self.word(_tree(node, "opening")),
            text=self.checked_name(self.token_word(text)),
            description=self.token_word(descriptions[0]) if descriptions else None,
            extent=_span(node),
        )

    # ---- benchmarks

    def benchmark(self, node: Node) -> syntax.Benchmark:
        return syntax.Benchmark(
            name=self.name(_tree(node, "name")),
            version=self.word(_tree(node, "text")),
            settings=tuple(self.setting(child) for child in _trees(node) if child.data not in ("name", "text", "size")),
            sizes=tuple(self.size(child) for child in _trees(node, "size")),
            span=_head(node),
            extent=_span(node),
            damaged=self.damaged(node),
        )

    def size(self, node: Node) -> syntax.Size:
        settings = tuple(self.setting(child) for child in _trees(node) if child.data != "name")
        return syntax.Size(self.name(_tree(node, "name")), settings, _span(node), self.damaged(node))

    def setting(self, node: Node) -> syntax.Setting:
        keyword, *values = node.children
        return syntax.Setting(str(keyword), self.setting_value(str(node.data), values), _span(node))

    def setting_value(self, kind: str, values: list[Node | Token]) -> syntax.SettingValue:
        if kind in ("domains", "views", "languages", "variants"):
            return tuple(self.word(value) for value in values if isinstance(value, Tree))
        if kind == "books":
            return tuple(self.book(value) for value in values if isinstance(value, Tree))
        value = values[0]
        if isinstance(value, Token):
            return syntax.Word(str(value), _span(value), quoted=False)
        match value.data:
            case "number":
                return self.number(value)
            case "range":
                return self.interval(value)
        return self.word(value)

    def book(self, node: Node) -> syntax.Book:
        numbers = _trees(node, "number")
        return syntax.Book(self.word(_tree(node, "name")), self.number(numbers[0]) if numbers else None)

    # ---- small things

    def word(self, node: Node) -> syntax.Word:
        """A text, or a name that was checked where it is declared."""
        token = _only(node)
        assert isinstance(token, Token)
        return self.token_word(token)

    def token_word(self, token: Token) -> syntax.Word:
        word = syntax.Word(plain(token), _span(token), is_quoted(token))
        if word.quoted and (fault := fault_of_text(token)):
            self._problem(BAD_STRING, fault[0], word.span, fault[1])
        return word

    def name(self, node: Node) -> syntax.Word:
        """A declared name, or another text that players must be able to repeat."""
        return self.checked_name(self.word(node))

    def checked_name(self, word: syntax.Word) -> syntax.Word:
        if fault := fault_of_name(word.text):
            self._problem(BAD_NAME, f"this name {fault}", word.span, "players must be able to read and repeat a name")
        return word

    def number(self, node: Node) -> syntax.Number:
        token = _only(node)
        assert isinstance(token, Token)
        return _number(token)

    def interval(self, node: Node) -> syntax.Interval:
        low, _, high = _tokens(node)
        return syntax.Interval(_number(low), _number(high), _span(node))

    def damaged(self, node: Node) -> bool:
        """Whether a token that stood inside this node was lost, or its closing brace was: it may have been to go on."""
        return node.children[-1] == "" or self.has_lost(_span(node))

    def has_lost(self, span: Span) -> bool:
        """Whether a token that stood there was lost."""
        return bisect_left(self.lost, span.start) < bisect_left(self.lost, span.end)

    def _check_apart(self, truths: Sequence[Node]) -> None:
        """Report names that stand side by side on a line with no comma between: they may be meant as one name."""
        reported: Node | None = None
        for first, second in pairwise(truths):
            one, other = (_only(_tree(truth, "opening")) for truth in (first, second))
            assert isinstance(one, Token) and isinstance(other, Token)
            if len(first.children) == 1 and one.line == other.line:
                name = f"{plain(one)} {plain(other)}"
                self.doubtful.append(name)
                if reported is not first:
                    message = f"'{plain(one)}' and '{plain(other)}' stand side by side"
                    help_ = f'put a comma between two names; write "{name}" in quotes if it is one'
                    self._problem(SYNTAX_ERROR, message, Span(_span(one).start, _span(other).end), help_)
                reported = second

    def _problem(self, rule: Rule, message: str, span: Span, help_: str = "") -> None:
        self.problems.append(Diagnostic(rule, message, Place(self.source, span), help_))


def _number(token: Token) -> syntax.Number:
    return syntax.Number(Decimal(token), _span(token))


def _trees(node: Node, kind: str | None = None) -> list[Node]:
    return [child for child in node.children if isinstance(child, Tree) and kind in (None, child.data)]


def _tokens(node: Node) -> list[Token]:
    return [child for child in node.children if isinstance(child, Token)]


def _tree(node: Node, kind: str) -> Node:
    return _trees(node, kind)[0]


def _only(node: Node) -> Node | Token:
    return node.children[0]


def _head(node: Node) -> Span:
    """The span of a declaration's keyword and name."""
    return Span(_span(node).start, _span(_tree(node, "name")).end)


def _span(item: Node | Token) -> Span:
    first = last = item
    while isinstance(first, Tree):
        first = first.children[0]
    while isinstance(last, Tree):
        last = last.children[-1]
    return Span(first.start_pos or 0, last.end_pos or 0)
