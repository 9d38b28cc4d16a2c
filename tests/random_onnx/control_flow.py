"""Graphs inside operators."""

import numpy as np
from onnx import helper

from graph import BOOL, F32, I64
from registry import operator


@operator("If")
def if_else(g):
    x = g.pick((F32,))
    condition = g.new_input(BOOL, ()) if g.chance(0.6) else g.constant(np.array(g.chance(0.5)))
    y = g.fresh(F32, x.shape)
    branches = []
    for op in ("Mul", "Sub"):
        name = g.name("inner")
        branches.append(g.subgraph([helper.make_node(op, [x.name, y.name], [name])], [], [(name, F32, x.shape)]))
    limit = (max(abs(x.low), abs(x.high)) + 1) * 4
    g.used.update((x.name, y.name))
    return g.node("If", [condition], low=-limit, high=limit, shape=x.shape, dtype=F32, then_branch=branches[0], else_branch=branches[1])


@operator("Loop")
def loop(g):
    x = g.inside(g.pick((F32,)), -20, 20)
    trips = g.any([0, 1, 3])
    iteration, go, carried, go_on, after, scan = (g.name("inner") for _ in range(6))
    factor = g.constant(np.array(0.5, F32))
    nodes = [helper.make_node("Identity", [go], [go_on]), helper.make_node("Mul", [carried, factor.name], [after]),
             helper.make_node("Neg", [after], [scan])]
    body = g.subgraph(nodes, [(iteration, I64, ()), (go, BOOL, ()), (carried, F32, x.shape)],
                      [(go_on, BOOL, ()), (after, F32, x.shape), (scan, F32, x.shape)])
    count = g.constant(np.array(trips, I64))
    g.used.add(factor.name)
    limits = (-20, 20, False)
    return g.nodes_out("Loop", [count, g.constant(np.array(True)), x], [limits, limits], {"body": body},
                       shapes=[(F32, x.shape), (F32, (trips, *x.shape))])


@operator("Scan")
def scan(g):
    x = g.inside(g.pick((F32,), ranks=[1, 2, 3]), -5, 5)
    state, item, after, out = (g.name("inner") for _ in range(4))
    nodes = [helper.make_node("Add", [state, item], [after]), helper.make_node("Tanh", [after], [out])]
    rest = x.shape[1:]
    body = g.subgraph(nodes, [(state, F32, rest), (item, F32, rest)], [(after, F32, rest), (out, F32, rest)])
    direction = [g.any([0, 1])]
    limit = 5 * (x.shape[0] + 1)
    return g.nodes_out("Scan", [g.constant(np.zeros(rest, F32)), x], [(-limit, limit, False), (-1, 1, False)],
                       dict(body=body, num_scan_inputs=1, scan_input_directions=direction), shapes=[(F32, rest), (F32, x.shape)])
