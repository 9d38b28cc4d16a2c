"""Makes a random graph by its number."""

import warnings

import control_flow  # noqa: F401 (each registers its operators)
import elementwise  # noqa: F401
import layers  # noqa: F401
import movement  # noqa: F401
from graph import Graph, Skip
from registry import OPERATORS

OPSETS = [9, 11, 13, 13, 15, 17, 17, 17, 18, 20, 21, 22]


def random_graph(seed, operators=None):
    """The graph, and the names of the operators that were asked for one."""
    graph = Graph(seed, 17)
    graph.opset = graph.any(OPSETS)
    names = sorted(operators or OPERATORS)
    wanted = 1 + graph.below(10)
    added = 0
    for _ in range(8 * wanted):
        if added == wanted:
            break
        before = graph.snapshot()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                OPERATORS[graph.any(names)](graph)
            added += 1
        except (Skip, RuntimeError, ValueError, TypeError):
            # What ONNX's inference refuses is not asked of anybody.
            graph.restore(before)
    return graph
