"""Operators by name: each a function that adds one node to a graph, or raises Skip."""

OPERATORS = {}


def operator(*names):
    def register(function):
        for name in names:
            OPERATORS[name] = (lambda g, name=name: function(g, name)) if len(names) > 1 else function
        return function
    return register
