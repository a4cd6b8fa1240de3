"""The graph of a domain, which action can rule out which truth, and its communities: like Fig. 6d of the KUMO paper."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_

import matplotlib as mpl
import networkx as nx
from matplotlib.figure import Figure

from kumoc.evaluate.plots import COLOURS, STYLE, Plot
from kumoc.generate.draw import derive
from kumoc.tables import Tables, members

_LABELLED = 60
"""Nodes up to which each has its name beside it."""
_ACROSS = 0.1
"""How hard an edge pulls that joins two communities, against one inside of one."""
_FAINT = 0.35


def domain_graph(tables: Tables) -> nx.Graph:
    """The bipartite graph of a domain: truths are the first nodes, by position, then actions."""
    graph = nx.Graph()
    graph.add_nodes_from(range(len(tables.truths) + len(tables.actions)))
    for number, action in enumerate(tables.actions, start=len(tables.truths)):
        excludable = reduce(or_, (outcome.excludes for outcome in action.outcomes))
        graph.add_edges_from((truth, number) for truth in members(excludable))
    return graph


def communities(graph: nx.Graph, seed: int) -> tuple[tuple[int, ...], ...]:
    """Louvain communities, the largest first, each in ascending order."""
    found = nx.community.louvain_communities(graph, seed=_state(seed))
    return tuple(sorted((tuple(sorted(community)) for community in found), key=lambda each: (-len(each), each)))


def _state(seed: int) -> int:
    """A seed of the size that numpy takes."""
    return derive("graph", seed) % 2**32


def graph_plot(tables: Tables, seed: int) -> Plot:
    """The graph of a domain, coloured by community."""
    graph = domain_graph(tables)
    found = communities(graph, seed)
    of = {node: number for number, community in enumerate(found) for node in community}
    names = [truth.name for truth in tables.truths] + [action.name for action in tables.actions]
    for one, other in graph.edges:
        graph.edges[one, other]["pull"] = 1.0 if of[one] == of[other] else _ACROSS
    place = nx.spring_layout(graph, seed=_state(seed), weight="pull", k=2.0 / len(names) ** 0.5, iterations=200)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 6.0), layout="constrained")
        axes = figure.subplots()
        nx.draw_networkx_edges(graph, place, ax=axes, edge_color="#999999", width=0.4, alpha=_FAINT)
        kinds: Sequence[tuple[str, str, range]] = (
            ("o", tables.truth_noun.many, range(len(tables.truths))),
            ("s", tables.action_noun.many, range(len(tables.truths), len(names))),
        )
        for shape, noun, nodes in kinds:
            colours = [COLOURS[of[node] % len(COLOURS)] for node in nodes]
            nx.draw_networkx_nodes(
                graph, place, nodelist=list(nodes), node_shape=shape, node_color=colours, node_size=70, ax=axes
            )
            axes.plot([], [], color="#444444", marker=shape, linestyle="none", label=noun)
        if len(names) <= _LABELLED:
            for node, (x, y) in place.items():
                axes.annotate(names[node], (x, y), textcoords="offset points", xytext=(0, 6), ha="center", fontsize=6)
        axes.set_title(f"{tables.title}: {len(found)} communities", loc="left", fontsize=9)
        axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(0, 0), ncols=2)
        axes.axis("off")
    caption = (
        f"{tables.title}: each {tables.action_noun.one} is joined with each {tables.truth_noun.one} that it can rule "
        f"out; colours are the {len(found)} Louvain communities."
    )
    return Plot(f"graph_{tables.domain}", caption, figure)
