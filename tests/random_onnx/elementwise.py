"""Functions of single elements."""

import numpy as np

from graph import BOOL, F32, F64, I8, I32, I64, TENSOR_TYPES, U8, Skip
from registry import OPERATORS, operator

FLOATS = (F32, F32, F32, F64)
INTEGERS = (I32, I64)
INF = float("inf")

# Of floats: where they are defined and tame, and the range of results.
SMOOTH = {
    "Exp": (-5, 5, 0, 150), "Log": (0.1, 20, -3, 3), "Sqrt": (0.01, 100, 0, 10), "Reciprocal": (0.1, 10, 0.1, 10), "Erf": (-4, 4, -1, 1),
    "Softsign": (-20, 20, -1, 1), "Softplus": (-20, 20, 0, 21), "Sigmoid": (-20, 20, 0, 1), "Tanh": (-10, 10, -1, 1), "Sin": (-20, 20, -1, 1),
    "Cos": (-20, 20, -1, 1), "Tan": (-1, 1, -2, 2), "Asin": (-0.9, 0.9, -2, 2), "Acos": (-0.9, 0.9, 0, 3.2), "Atan": (-20, 20, -2, 2),
    "Sinh": (-5, 5, -75, 75), "Cosh": (-5, 5, 1, 75), "Asinh": (-20, 20, -4, 4), "Acosh": (1.1, 20, 0, 4), "Atanh": (-0.9, 0.9, -2, 2),
    "Identity": (-INF, INF, None, None), "HardSwish": (-20, 20, -1, 20),
}


def smooth(g, name):
    low, high, lowest, highest = SMOOTH[name]
    x = g.pick(FLOATS if name in ("Exp", "Log", "Sqrt", "Identity", "Sigmoid", "Tanh", "Sin") else (F32,))
    return g.node(name, [g.inside(x, low, high)], low=lowest, high=highest, exact=x.exact and name == "Identity")


for smooth_name in SMOOTH:
    OPERATORS[smooth_name] = lambda g, name=smooth_name: smooth(g, name)


@operator("Abs", "Neg", "Relu", "Sign")
def exact_unary(g, name):
    x = g.pick((F32, F32, F64, I32, I64, I8) if name != "Relu" else (F32, F64), exact=name == "Sign")
    reach = max(abs(x.low), abs(x.high))
    if x.dtype == I8 and reach > 127:
        raise Skip  # the result of -(-128) is nobody's
    low, high = {"Abs": (0, reach), "Neg": (-x.high, -x.low), "Relu": (0, max(x.high, 0)), "Sign": (-1, 1)}[name]
    return g.node(name, [x], low=low, high=high, exact=x.exact)


@operator("Floor", "Ceil", "Round")
def steps(g, name):
    x = g.pick(FLOATS, exact=True)
    return g.node(name, [x], low=np.floor(x.low), high=np.ceil(x.high), exact=True)


@operator("Elu", "Selu", "Celu", "LeakyRelu", "HardSigmoid", "ThresholdedRelu", "Shrink")
def with_parameters(g, name):
    x = g.inside(g.pick((F32,), exact=name in ("ThresholdedRelu", "Shrink")), -20, 20)
    alpha = g.any([None, 0.25, 1.0, 2.0])
    attributes = {"lambd": g.any([0.5, 1.0]), "bias": g.any([0.0, 0.25])} if name == "Shrink" else {"alpha": alpha}
    if name == "HardSigmoid":
        attributes["beta"] = g.any([None, 0.5])
    if name == "ThresholdedRelu" and g.opset < 10:
        raise Skip
    return g.node(name, [x], low=-50, high=50, **attributes)


@operator("Clip")
def clip(g):
    x = g.pick((F32, F64, I32, I64, I8, U8))
    low, high = (0, 2) if x.dtype == U8 else (-1, 1)
    return g.clip(x, low if g.chance(0.8) else None, high if g.chance(0.8) else None)


@operator("PRelu")
def prelu(g):
    x = g.pick((F32,))
    if x.rank == 0:
        raise Skip
    shape = [dim if g.chance(0.5) else 1 for dim in x.shape[g.below(x.rank):]]
    return g.node("PRelu", [x, g.constant(g.array(F32, shape, -1, 1))], low=-abs(x.low) - abs(x.high), high=max(abs(x.low), abs(x.high)))


@operator("IsNaN", "IsInf", "Not")
def tests(g, name):
    x = g.pick((BOOL,)) if name == "Not" else g.pick((F32,))
    return g.node(name, [x], low=0, high=1, exact=True)


@operator("Gelu", "Mish", "Swish")
def newer(g, name):
    opset = {"Gelu": 20, "Mish": 18, "Swish": 24}[name]
    if g.opset < opset:
        raise Skip
    x = g.inside(g.pick((F32,)), -20, 20)
    attributes = {"approximate": g.any([None, "tanh"])} if name == "Gelu" else {}
    return g.node(name, [x], low=-1, high=20, shape=x.shape, **attributes)


def partner(g, x, low=-3.0, high=3.0, exact=False):
    """What broadcasts with x: a value, or a new one of another shape."""
    def fits(v):
        return all(a == b or a == 1 or b == 1 for a, b in zip(v.shape[::-1], x.shape[::-1])) and v.low >= low and v.high <= high
    if g.chance(0.5):
        for _ in range(3):
            v = g.pick((x.dtype,), exact=exact)
            if fits(v):
                return v
    shape = [dim if g.chance(0.7) else 1 for dim in x.shape[g.below(x.rank + 1):]]
    if g.chance(0.2):
        shape = [g.any([1, 2, 3])] + [dim if g.chance(0.7) else 1 for dim in x.shape]
    if len(shape) > 5:
        raise Skip
    return g.fresh(x.dtype, shape, max(low, -3), min(high, 3))


def both(g, a, b):
    return [a, b] if g.chance(0.5) else [b, a]


@operator("Add", "Sub", "Mul", "Max", "Min")
def arithmetic(g, name):
    types = (F32,) if name in ("Max", "Min") and g.opset < 12 else (F32, F32, F64, I32, I64)
    x = g.pick(types, where=lambda v: max(abs(v.low), abs(v.high)) < 1e4)
    y = partner(g, x, -1e4, 1e4)
    a, b = both(g, x, y)
    corners = [[f(p, q) for p in (a.low, a.high) for q in (b.low, b.high)] for f in
               ({"Add": lambda p, q: p + q, "Sub": lambda p, q: p - q, "Mul": lambda p, q: p * q, "Max": max, "Min": min}[name],)][0]
    exact = a.exact and b.exact and (a.dtype.kind == "i" or name in ("Max", "Min"))
    return g.node(name, [a, b], low=min(corners), high=max(corners), exact=exact)


@operator("Sum", "Mean")
def variadic(g, name):
    x = g.pick((F32,))
    others = [partner(g, x) for _ in range(g.below(3))]
    reach = sum(max(abs(v.low), abs(v.high)) for v in [x, *others])
    return g.node(name, [x, *others], low=-reach, high=reach)


@operator("Div")
def div(g):
    x = g.pick((F32, F64, I32, I64))
    shape = [dim if g.chance(0.7) else 1 for dim in x.shape[g.below(x.rank + 1):]]
    y = g.constant((g.array(x.dtype, shape, 1, 7) * g.any([1, -1])).astype(x.dtype))
    reach = max(abs(x.low), abs(x.high))
    return g.node("Div", [x, y], low=-reach, high=reach, exact=x.exact and x.dtype.kind == "i")


@operator("Mod")
def mod(g):
    x = g.pick((I32, I64, F32), exact=True)
    y = g.constant((g.array(x.dtype, [dim if g.chance(0.5) else 1 for dim in x.shape], 1, 5) * g.any([1, -1])).astype(x.dtype))
    return g.node("Mod", [x, y], low=-5, high=5, exact=True, fmod=1 if x.dtype == F32 or g.chance(0.3) else 0)


@operator("Pow")
def power(g):
    x = g.inside(g.pick((F32,)), 0.1, 4)
    exponent = g.constant(np.array(g.any([2.0, 0.5, 3.0, -1.0, 1.5, 1.0, 0.0]), F32)) if g.chance(0.5) else partner(g, x, -3, 3)
    return g.node("Pow", [x, exponent], low=0, high=1000)


@operator("And", "Or", "Xor")
def logic(g, name):
    x = g.pick((BOOL,))
    return g.node(name, both(g, x, partner(g, x)), low=0, high=1, exact=True)


@operator("Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual")
def compare(g, name):
    x = g.pick((F32, F64, I32, I64, BOOL) if name == "Equal" else (F32, F64, I32, I64), exact=True)
    return g.node(name, both(g, x, partner(g, x, -INF, INF, exact=True)), low=0, high=1, exact=True)


@operator("BitShift", "BitwiseAnd", "BitwiseOr", "BitwiseXor")
def bits(g, name):
    if name == "BitShift":
        x = g.new_input(U8, None, 0, 255)
        y = g.constant(g.array(U8, [dim if g.chance(0.5) else 1 for dim in x.shape], 0, 7))
        return g.node(name, [x, y], low=0, high=255, exact=True, direction=g.any(["LEFT", "RIGHT"]))
    if g.opset < 18:
        raise Skip
    x = g.pick(INTEGERS)
    y = g.constant(g.array(x.dtype, x.shape, -100, 100))
    return g.node(name, [x, y], low=-1e6, high=1e6, exact=True, shape=x.shape)


@operator("BitwiseNot")
def bitwise_not(g):
    if g.opset < 18:
        raise Skip
    x = g.pick(INTEGERS)
    return g.node("BitwiseNot", [x], low=-x.high - 1, high=-x.low - 1, exact=True, shape=x.shape)


@operator("Where")
def where(g):
    condition = g.pick((BOOL,))
    x = g.fresh(g.any((F32, I32, I64)), [dim if g.chance(0.7) else 1 for dim in condition.shape])
    y = partner(g, x, -INF, INF)
    if not all(a == b or a == 1 or b == 1 for a, b in zip(condition.shape[::-1], y.shape[::-1])):
        raise Skip
    return g.node("Where", [condition, x, y], low=min(x.low, y.low), high=max(x.high, y.high), exact=x.exact and y.exact)


@operator("Cast")
def cast(g):
    x = g.pick((F32, F64, I32, I64, I8, U8, BOOL))
    to = g.any((F32, F32, F64, I32, I64, BOOL))
    jumps = x.dtype.kind == "f" and to.kind != "f"
    if jumps and not (x.exact and max(abs(x.low), abs(x.high)) < 1e6):
        raise Skip
    low, high = (0, 1) if to == BOOL else (x.low - 1 if jumps else x.low, x.high + 1 if jumps else x.high)
    return g.node("Cast", [x], low=low, high=high, exact=x.exact, to=TENSOR_TYPES[to])
