"""From a resolved domain to its tables: places are left behind."""

from __future__ import annotations

from kumoc.language.domain import ResolvedDomain
from kumoc.tables import Action, Outcome, Tables, Truth


def lower(domain: ResolvedDomain) -> Tables:
    """The tables of a domain in which nothing is wrong."""
    return Tables(
        domain=domain.name.text,
        title=domain.title,
        topic=domain.topic,
        goal=domain.goal,
        version=domain.version,
        language=domain.language,
        truth_noun=domain.truth_noun,
        action_noun=domain.action_noun,
        truths=tuple(Truth(truth.name.text, truth.description) for truth in domain.truths),
        actions=tuple(
            Action(
                name=action.name.text,
                outcomes=tuple(Outcome(outcome.key, outcome.excludes) for outcome in action.outcomes),
                description=action.description,
                scale=action.scale,
            )
            for action in domain.actions
        ),
    )
