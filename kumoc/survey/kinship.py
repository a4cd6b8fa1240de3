"""Truths that are hard to tell apart, as a graph with communities, and orders in which like stands by like.

The graph of all truths that one action can rule out together joins, in most domains, each truth with each other, and so
shows nothing. Here a truth is joined with the few that it is hardest to tell from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import pdist

from kumoc.evaluate.graphs import communities
from kumoc.survey.structure import Pair, Structure

NEAREST = 3
"""How many others a truth is joined with, at least; those that are joined with it come on top."""

_SEED = 0


@dataclass(frozen=True, slots=True)
class Kinship:
    """Who is like whom.

    ``near`` are the pairs of the graph, the lower truth first. ``communities`` part the truths; they, the truths in
    them and ``actions`` stand in an order in which like is by like.
    """

    near: tuple[Pair, ...]
    communities: tuple[tuple[int, ...], ...]
    actions: tuple[int, ...]

    @property
    def truths(self) -> tuple[int, ...]:
        """All truths, community by community."""
        return tuple(truth for community in self.communities for truth in community)


def kinship(structure: Structure) -> Kinship:
    """Of the truths and actions of a domain."""
    tables = structure.tables
    near = sorted(
        {
            (min(truth, other), max(truth, other))
            for truth in range(len(tables.truths))
            for other in structure.nearest(truth)[:NEAREST]
        }
    )
    graph = nx.Graph()
    graph.add_nodes_from(range(len(tables.truths)))
    # one more than the actions that do not tell them apart, so that no pair that is joined weighs nothing
    graph.add_weighted_edges_from((*pair, 1 + len(tables.actions) - structure.apart[pair]) for pair in near)
    place = {truth: i for i, truth in enumerate(_ordered(list(structure.apart.values()), len(tables.truths)))}
    parts = (tuple(sorted(part, key=place.__getitem__)) for part in communities(graph, _SEED))
    ordered = sorted(parts, key=lambda part: (sum(place[truth] for truth in part) / len(part), part))
    return Kinship(tuple(near), tuple(ordered), _like_by_like(structure))


def _like_by_like(structure: Structure) -> tuple[int, ...]:
    """The actions, two of them near if they tell much the same pairs of truths apart."""
    pairs = tuple(structure.apart)
    told = np.array(
        [[column[one] != column[other] for one, other in pairs] for column in structure.columns], dtype=bool
    )
    return _ordered(pdist(told, "jaccard").tolist() if len(told) > 1 and pairs else [], len(told))


def _ordered(distances: Sequence[float], count: int) -> tuple[int, ...]:
    """The order of ``count`` things, the leaves of their tree, in which neighbours are least apart."""
    if count < 3:
        return tuple(range(count))
    tree = linkage(np.array(distances, dtype=float), "average", optimal_ordering=True)
    return tuple(leaves_list(tree).tolist())
