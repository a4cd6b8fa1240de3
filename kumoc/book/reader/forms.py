"""The sentences of books, language by language, as a reader knows them.

Slots in braces are nouns and settings that the book gives (see :class:`kumoc.book.reader.page.Page`). In sentences
that state rules ``{did}`` is an action's name, ``{saw}`` an outcome, ``{name}`` a truth's name and ``{names}`` a list
of them, all but outcomes in quotes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"

SLOT = re.compile(r"\{(\w+)\}")
"""A slot of a form."""

QUOTED = re.compile(r'"([^"]+)"')
"""A name in quotes."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to state a rule; with a ``joint``, ``item`` is there once or more, with it between."""

    head: str
    item: str = ""
    joint: str = ""
    tail: str = ""


@dataclass(frozen=True, slots=True)
class Forms:
    """The forms of one language; those in pairs are for one and for several, or for labels and for ranges.

    The ``running_point`` stands in running text for the last of the ``points``, which is about where rules stand.
    """

    space: str
    comma: str
    last_comma: str
    colon: str
    title: str
    topic: str
    goal: str
    valid: tuple[str, str]
    valid_in_play: tuple[str, str]
    round: str
    points: tuple[str, ...]
    running_point: str
    points_in_play: tuple[str, ...]
    others: str
    name: tuple[str, str]
    truths: tuple[str, str]
    actions: tuple[str, str]
    in_play: tuple[str, str]
    entries: tuple[str, str]
    description: str
    unit: tuple[str, str]
    label: str
    range: str
    upto: tuple[str, str]
    rule: str
    nothing: str
    truth_columns: str
    rule_columns: str
    json: str
    are: tuple[tuple[str, str], tuple[str, str]]
    about: str
    unit_of: tuple[str, str]
    rules: str
    ways: tuple[str, ...]
    ways_for_truths: tuple[Way, ...]
    nothing_of: str

    @property
    def list(self) -> str:
        """The pattern of one name or more, in quotes."""
        return rf'"[^"]+"(?:(?:{self.comma}"[^"]+")*{self.last_comma}"[^"]+")?'

    def outcome(self, unit: str | None) -> str:
        """The pattern of an outcome of an action with that ``unit``, or, if it is None, with labels."""
        if unit is None:
            return re.escape(self.label).replace(r"\{label\}", '(?P<label>[^"]+)')
        pattern = re.escape(self.range)
        for slot, value in (("low", NUMBER), ("high", NUMBER), ("upto", "|".join(self.upto))):
            pattern = pattern.replace(rf"\{{{slot}\}}", f"(?P<{slot}>{value})")
        return pattern + re.escape(f" {unit}" if unit else "")


ENGLISH = Forms(
    space=" ",
    comma=", ",
    last_comma=" and ",
    colon=": ",
    title="# {title}",
    topic="This is a game of deduction from the field of {topic}.",
    goal="Your goal is to {goal}.",
    valid=(
        "Exactly one of the {truths} listed below is valid.",
        "Exactly {valid} of the {truths} listed below are valid.",
    ),
    valid_in_play=(
        "Exactly one of the {truths} in play is valid.",
        "Exactly {valid} of the {truths} in play are valid.",
    ),
    round="In each round, choose one {action} and see its outcome. This book says what each outcome rules out.",
    points=(
        "An outcome only ever rules {truths} out. It never confirms one.",
        "Any {truth} that no outcome seen so far rules out is still possible.",
        "An outcome that this book does not list rules out nothing.",
        "Once every {action} has been chosen, the outcomes seen rule out every {truth} that is not valid.",
        "Descriptions are background. Only the rules under each {action} count.",
    ),
    running_point="Descriptions are background. Only the rules under 'What the outcomes rule out' count.",
    points_in_play=(
        "An outcome only ever rules {truths} out. It never confirms one.",
        "Any {truth} in play that no outcome seen so far rules out is still possible.",
        "An outcome that this book does not list rules out nothing.",
        "Once every {action} in play has been chosen, the outcomes seen rule out every {truth} in play that is not "
        "valid.",
        "Descriptions are background. Only the rules under each {action} count.",
    ),
    others="This book also describes {truths} and {actions} that are not in play. None of those {truths} is valid, "
    "and none of those {actions} can be chosen.",
    name=(
        "Name the valid {truth} after as few {actions} as you can.",
        "Name one of the valid {truths} after as few {actions} as you can.",
    ),
    truths=("## The {truths}", "## The {truth}"),
    actions=("## The {actions}", "## The {action}"),
    in_play=("## The {truths} in play", "## The {actions} in play"),
    entries=("## All {truths}", "## All {actions}"),
    description="Description: ",
    unit=("The outcome is a number.", "The outcome is a number in {unit}."),
    label='"{label}"',
    range="at least {low} and {upto} {high}",
    upto=("less than", "at most"),
    rule="- If the outcome is {saw}, rule out {names}.",
    nothing="No outcome of this {action} rules out any {truth} listed above.",
    truth_columns="| name | description |",
    rule_columns="| if the outcome is | rule out |",
    json="The JSON object below lists the {truths} and the {actions}, with what each outcome rules out. An outcome "
    "that is a number has a lower bound, `at_least`, which belongs to it, and an upper one, which belongs to it if it "
    "is called `at_most` and does not if it is called `less_than`.",
    are=(
        ("The {truths} are {names}.", "The only {truth} is {names}."),
        ("The {actions} are {names}.", "The only {action} is {names}."),
    ),
    about='About "{name}": ',
    unit_of=('The outcome of "{did}" is a number.', 'The outcome of "{did}" is a number in {unit}.'),
    rules="## What the outcomes rule out",
    ways=(
        "If the outcome of {did} is {saw}, rule out {names}.",
        "When {did} comes out as {saw}, that rules out {names}.",
        "{did} coming out as {saw} rules out {names}.",
    ),
    ways_for_truths=(
        Way("{name} is ruled out if ", "the outcome of {did} is {saw}", ", or if ", "."),
        Way("Rule out {name} when ", "{did} comes out as {saw}", ", or when ", "."),
        Way("{name} cannot be valid once ", "{did} has come out as {saw}", ", or once ", "."),
    ),
    nothing_of="No outcome of {did} rules out any {truth} listed above.",
)

CHINESE = Forms(
    space="",
    comma="、",
    last_comma="和",
    colon="：",
    title="# {title}",
    topic="这是一个关于{topic}的推理游戏。",
    goal="你的目标：{goal}。",
    valid=("下列{truths}中恰有一个成立。", "下列{truths}中恰有 {valid} 个成立。"),
    valid_in_play=("本局的{truths}中恰有一个成立。", "本局的{truths}中恰有 {valid} 个成立。"),
    round="每一回合选择一项{action}，并查看它的结果。本书说明每种结果排除什么。",
    points=(
        "结果只会排除{truths}，从不确认其中任何一个。",
        "凡是没有被已见结果排除的{truth}，都仍有可能成立。",
        "本书没有列出的结果不排除任何东西。",
        "所有{action}都选过之后，所见的结果会排除每一个不成立的{truth}。",
        "描述只是背景，只有各项{action}的规则才算数。",
    ),
    running_point="描述只是背景，只有“各种结果排除什么”之下的规则才算数。",
    points_in_play=(
        "结果只会排除{truths}，从不确认其中任何一个。",
        "凡是没有被已见结果排除的本局{truth}，都仍有可能成立。",
        "本书没有列出的结果不排除任何东西。",
        "本局的所有{action}都选过之后，所见的结果会排除每一个不成立的本局{truth}。",
        "描述只是背景，只有各项{action}的规则才算数。",
    ),
    others="本书也介绍不在本局之内的{truths}和{actions}：那些{truths}都不成立，那些{actions}都不能选择。",
    name=(
        "请用尽可能少的{actions}，说出成立的那个{truth}。",
        "请用尽可能少的{actions}，说出成立的{truths}中的一个。",
    ),
    truths=("## {truths}", "## {truth}"),
    actions=("## {actions}", "## {action}"),
    in_play=("## 本局的{truths}", "## 本局的{actions}"),
    entries=("## 全部{truths}", "## 全部{actions}"),
    description="描述：",
    unit=("结果是一个数值。", "结果是一个数值，单位为 {unit}。"),
    label='为"{label}"',
    range="大于等于 {low} 且{upto} {high}",
    upto=("小于", "小于等于"),
    rule="- 如果结果{saw}，则排除{names}。",
    nothing="这项{action}的任何结果都不排除上面列出的任何{truth}。",
    truth_columns="| 名称 | 描述 |",
    rule_columns="| 如果结果 | 则排除 |",
    json="下面的 JSON 对象列出{truths}和{actions}，以及每种结果排除什么。"
    "数值结果的下界是 `at_least`，下界本身包括在内；"
    "上界若称为 `at_most` 则包括在内，若称为 `less_than` 则不包括在内。",
    are=(
        ("{truths}有{names}。", "{truth}只有{names}。"),
        ("{actions}有{names}。", "{action}只有{names}。"),
    ),
    about='关于"{name}"：',
    unit_of=('"{did}"的结果是一个数值。', '"{did}"的结果是一个数值，单位为 {unit}。'),
    rules="## 各种结果排除什么",
    ways=(
        "如果{did}的结果{saw}，则排除{names}。",
        "一旦{did}的结果{saw}，就可以排除{names}。",
        "{did}的结果{saw}时，应当排除{names}。",
    ),
    ways_for_truths=(
        Way("{name}在下列情况下被排除：", "{did}的结果{saw}", "；", "。"),
        Way("只要", "{did}的结果{saw}", "，或者", "，{name}就被排除。"),
        Way("{name}不可能成立，如果", "{did}的结果{saw}", "，或者", "。"),
    ),
    nothing_of="{did}的任何结果都不排除上面列出的任何{truth}。",
)

LANGUAGES = {"en": ENGLISH, "zh": CHINESE}
"""The languages that books can be read in."""
