"""The sentences of a conversation, language by language. Names come quoted as in JSON, lists of them with commas."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """The sentences of one language; ``rules`` has the number of valid truths and the table in its slots."""

    opening: str
    how_to_answer: str
    rules: str
    sight: str
    refused: str
    in_one_step: str
    the_valid: str
    one_valid: str
    progress: str
    nothing_new: str
    conclusion: str
    space: str
    comma: str


ENGLISH = Wording(
    opening="Begin.",
    how_to_answer="""\
End each reply with one line that holds one name, exactly as it is written here and without quotes: that of what to do \
next or, once you are sure, your final answer.

<ANSWER> name </ANSWER>""",
    rules="""\
This is a game of deduction. Of the truths in the table below, exactly {valid} {hold} valid.

In each round, take one action and see its outcome. The table says which truths each outcome of each action rules out.
An outcome never confirms a truth. Once every action has been taken, the outcomes seen rule out every truth that is not
valid. Name a valid truth after as few actions as you can.

{table}""",
    sight="The outcome of {action} is {seen}.",
    refused="That is none of the actions and truths that are listed.",
    in_one_step="""\
Every action has been taken. These are the outcomes:

{sights}

Now name {wanted}. End your reply with one line that holds the name, exactly as it is written here and without quotes.

<ANSWER> name </ANSWER>""",
    the_valid="the one that is valid",
    one_valid="one of those that are valid",
    progress="Ruled out: {ruled_out}. Left: {left}.",
    nothing_new="nothing new",
    conclusion="If {sure} were not valid, the actions left could not rule out all that is not: it is valid.",
    space=" ",
    comma=", ",
)

CHINESE = Wording(
    opening="开始。",
    how_to_answer="""\
每次回复的最后一行写一个名称，与这里的写法完全一致，不加引号：下一步要做的事的名称；或者，确定之后，你的最终答案。

<ANSWER> 名称 </ANSWER>""",
    rules="""\
这是一个推理游戏。下表的 truths 中恰有 {valid} 个成立。

每一回合选择一项行动（actions），并查看它的结果。表中写明每项行动的每种结果排除哪些 truths。结果从不确认任何一个。\
所有行动都选过之后，所见的结果会排除每一个不成立的。请用尽可能少的行动，说出成立的一个。

{table}""",
    sight="{action}的结果是{seen}。",
    refused="这不是所列的任何一项行动，也不是所列的任何一个 truth。",
    in_one_step="""\
所有行动都已选过。结果如下：

{sights}

现在说出{wanted}。回复的最后一行写这个名称，与这里的写法完全一致，不加引号。

<ANSWER> 名称 </ANSWER>""",
    the_valid="成立的那一个",
    one_valid="成立的其中一个",
    progress="已排除：{ruled_out}。剩下：{left}。",
    nothing_new="没有新的",
    conclusion="假如{sure}不成立，剩下的行动就无法排除所有不成立的：所以它成立。",
    space="",
    comma="、",
)

WORDINGS = {"en": ENGLISH, "zh": CHINESE}
