"""What moves elements, and what counts them."""

import numpy as np
from onnx import numpy_helper

from graph import BOOL, F32, F64, I32, I64, I8, U8, Skip
from registry import operator

ALL = (F32, F32, F32, F64, I32, I64, I8, U8, BOOL)
SOME = (F32, F32, I32, I64)


def moved(g, name, inputs, **attributes):
    return g.node(name, inputs, exact=inputs[0].exact, **attributes)


def integers(g, values):
    return g.constant(np.array(values, I64))


@operator("Transpose")
def transpose(g):
    x = g.pick(ALL)
    order = list(range(x.rank))
    g.random.shuffle(order)
    return moved(g, "Transpose", [x], perm=order if g.chance(0.8) else None)


@operator("Reshape")
def reshape(g):
    x = g.pick(ALL)
    factors, left = [], x.size
    if x.size == 0:
        raise Skip
    while left > 1 and len(factors) < 4:
        factor = next(f for f in (2, 3, 5, 7, left) if left % f == 0)
        left //= factor
        factors.append(factor)
    factors = factors + [left] if left > 1 or not factors else factors
    g.random.shuffle(factors)
    if g.chance(0.3):
        factors.insert(g.below(len(factors) + 1), 1)
    if g.chance(0.5):
        factors[g.below(len(factors))] = -1
    return moved(g, "Reshape", [x, integers(g, factors)])


@operator("Flatten")
def flatten(g):
    x = g.pick(ALL)
    return moved(g, "Flatten", [x], axis=g.any([-x.rank, x.rank, 1 if x.rank else 0, 0]))


@operator("Squeeze", "Unsqueeze")
def squeeze(g, name):
    x = g.pick(ALL, ranks=[1, 2, 3, 4])
    if name == "Squeeze":
        axes = [i for i, dim in enumerate(x.shape) if dim == 1]
        if not axes:
            raise Skip
        axes = axes[: 1 + g.below(len(axes))]
    else:
        axes = sorted(g.random.sample(range(x.rank + 1), g.any([1, 1, 2]) if x.rank > 1 else 1))
    if g.opset >= 13:
        return moved(g, name, [x, integers(g, axes)])
    return moved(g, name, [x], axes=axes)


@operator("Expand")
def expand(g):
    x = g.pick(ALL)
    shape = [dim if dim != 1 else g.any([1, 2, 3]) for dim in x.shape]
    if g.chance(0.4):
        shape.insert(0, g.any([1, 2]))
    return moved(g, "Expand", [x, integers(g, shape)])


@operator("Tile")
def tile(g):
    x = g.pick(SOME)
    return moved(g, "Tile", [x, integers(g, [g.any([1, 1, 2, 3]) for _ in x.shape])])


@operator("Concat")
def concat(g):
    x = g.pick(ALL, ranks=[1, 2, 3, 4])
    axis = g.axis(x.rank)
    parts = [x]
    for _ in range(g.any([1, 1, 2, 3])):
        shape = list(x.shape)
        shape[axis] = g.any([1, 2, 3, shape[axis]])
        parts.append(g.pick((x.dtype,), shape=shape) if g.chance(0.5) else g.fresh(x.dtype, shape))
    g.random.shuffle(parts)
    return g.node("Concat", parts, low=min(p.low for p in parts), high=max(p.high for p in parts), exact=all(p.exact for p in parts),
                  axis=axis)


@operator("Split")
def split(g):
    x = g.pick(SOME, ranks=[1, 2, 3, 4], where=lambda v: any(dim > 1 for dim in v.shape))
    axis = g.any([i for i, dim in enumerate(x.shape) if dim > 1])
    first = 1 + g.below(x.shape[axis] - 1)
    sizes = [first, x.shape[axis] - first]
    part = (x.low, x.high, x.exact)
    if g.opset >= 13:
        return g.nodes_out("Split", [x, integers(g, sizes)], [part, part], {"axis": axis})
    return g.nodes_out("Split", [x], [part, part], {"axis": axis, "split": sizes})


@operator("Slice")
def slices(g):
    x = g.pick(ALL, ranks=[1, 2, 3, 4])
    axes = g.random.sample(range(x.rank), 1 + g.below(x.rank))
    starts, ends, steps = [], [], []
    for axis in axes:
        size, step = x.shape[axis], g.any([1, 1, 1, 2, -1, -2])
        a, b = sorted([g.below(size), g.below(size)])
        starts.append(a if step > 0 else b)
        ends.append(g.any([b + 1, 1000]) if step > 0 else (a - 1 if a > 0 else -1000))
        steps.append(step)
    return moved(g, "Slice", [x, *(integers(g, v) for v in (starts, ends, axes, steps))])


@operator("Gather")
def gather(g):
    x = g.pick(SOME, ranks=[1, 2, 3, 4])
    axis = g.axis(x.rank)
    size = x.shape[axis]
    dtype = g.any([I32, I64])
    shape = g.any([(), (2,), (3,), (2, 2)])
    indices = g.array(dtype, shape, -size, size - 1)
    if g.chance(0.3):
        value = g.new_input(dtype, shape, -size, size - 1)
    else:
        value = g.constant(indices)
    return moved(g, "Gather", [x, value], axis=axis)


@operator("GatherElements", "ScatterElements")
def elements(g, name):
    x = g.pick((F32, F32, I32, I64), ranks=[1, 2, 3])
    axis = g.axis(x.rank)
    shape = [1 + g.below(dim) for dim in x.shape]
    if name == "GatherElements":
        shape[axis] = g.any([1, 2, 4])
        return moved(g, name, [x, g.constant(g.array(I64, shape, -x.shape[axis], x.shape[axis] - 1))], axis=axis)
    # Each place once: which of several comes last is nobody's promise.
    shape[axis] = 1 + g.below(x.shape[axis])
    order = np.argsort(g.arrays.random([shape[i] if i != axis % x.rank else x.shape[axis] for i in range(x.rank)]), axis=axis)
    indices = np.take(order, range(shape[axis]), axis=axis).astype(I64)
    updates = g.fresh(x.dtype, shape)
    reduction = g.any([None, "add", "mul"]) if g.opset >= 16 and x.dtype == F32 else None
    exact = x.exact and updates.exact and reduction is None
    reach = 4 * (1 + max(abs(v) for v in (x.low, x.high, updates.low, updates.high)))
    return g.node(name, [x, g.constant(indices), updates], low=-reach, high=reach, exact=exact, axis=axis, reduction=reduction)


@operator("GatherND", "ScatterND")
def nd(g, name):
    x = g.pick((F32, F32, I32, I64), ranks=[2, 3, 4])
    depth = 1 + g.below(x.rank)
    if name == "GatherND":
        shape = (g.any([1, 2, 3]), depth)
        indices = np.stack([g.arrays.integers(-d, d, shape[:1]) for d in x.shape[:depth]], -1)
        return moved(g, name, [x, g.constant(indices.astype(I64))])
    places = int(np.prod(x.shape[:depth]))
    chosen = g.arrays.choice(places, min(places, g.any([1, 2, 3])), replace=False)
    indices = np.stack(np.unravel_index(chosen, x.shape[:depth]), -1).astype(I64)
    updates = g.fresh(x.dtype, (len(chosen), *x.shape[depth:]))
    low, high = min(x.low, updates.low), max(x.high, updates.high)
    return g.node(name, [x, g.constant(indices), updates], low=low, high=high, exact=x.exact and updates.exact)


@operator("Pad")
def pad(g):
    x = g.pick((F32, F32, I32, I64), ranks=[1, 2, 3, 4], where=lambda v: v.size > 0)
    mode = g.any(["constant", "constant", "reflect", "edge"])
    most = [dim - 1 if mode == "reflect" else 3 for dim in x.shape]
    pads = [g.below(min(m, 3) + 1) if g.chance(0.5) else 0 for m in most * 2]
    if mode == "constant" and g.chance(0.2) and x.shape[0] > 2:
        pads[0] = -1
    inputs = [x, integers(g, pads)]
    if mode == "constant" and g.chance(0.5):
        inputs.append(g.constant(np.array(1, x.dtype)))
    return g.node("Pad", inputs, low=min(x.low, 0), high=max(x.high, 1), exact=x.exact, mode=mode)


@operator("DepthToSpace", "SpaceToDepth")
def space(g, name):
    block = 2
    channels, side = g.any([1, 2, 3]), g.any([2, 4])
    shape = (g.any([1, 2]), channels * 4, side, 3) if name == "DepthToSpace" else (g.any([1, 2]), channels, side, 2 * side)
    x = g.pick((F32,), shape=shape)
    mode = g.any([None, "CRD"]) if name == "DepthToSpace" and g.opset >= 11 else None
    return moved(g, name, [x], blocksize=block, mode=mode)


@operator("ReverseSequence")
def reverse_sequence(g):
    x = g.pick((F32, I64), ranks=[2, 3, 4])
    batch = g.any([0, 1])
    lengths = g.array(I64, (x.shape[batch],), 1, x.shape[1 - batch])
    return moved(g, "ReverseSequence", [x, g.constant(lengths)], batch_axis=batch, time_axis=1 - batch)


@operator("OneHot")
def one_hot(g):
    depth = g.any([2, 4, 7])
    x = g.new_input(I64, g.shape(g.any([1, 2, 3])), -depth, depth + 1)
    values = g.constant(np.array([0.5, 2.0], F32) if g.chance(0.5) else np.array([-1, 4], I64))
    axis = g.any([0, x.rank])
    return g.node("OneHot", [x, g.constant(np.array(depth, I64)), values], low=-1, high=4, exact=True, axis=axis,
                  shape=[*x.shape[:axis], depth, *x.shape[axis:]], dtype=values.dtype)


@operator("Trilu")
def trilu(g):
    x = g.pick((F32, I64), ranks=[2, 3, 4])
    k = [g.constant(np.array(g.any([-2, -1, 0, 1, 3]), I64))] if g.chance(0.6) else []
    return g.node("Trilu", [x, *k], low=min(x.low, 0), high=max(x.high, 0), exact=x.exact, upper=g.any([None, 0, 1]))


@operator("Shape", "Size")
def sizes(g, name):
    x = g.pick(ALL)
    return g.node(name, [x], low=0, high=max(x.size, *x.shape, 1) if x.shape else 1, exact=True)


@operator("ConstantOfShape")
def constant_of_shape(g):
    value = np.array([g.any([0, 2, -3])], g.any([F32, I32, I64]))
    return g.node("ConstantOfShape", [integers(g, g.shape(g.any([1, 2, 3])))], low=-3, high=2, exact=True,
                  value=numpy_helper.from_array(value))


@operator("EyeLike")
def eye_like(g):
    x = g.pick((F32, I64), rank=2)
    return g.node("EyeLike", [x], low=0, high=1, exact=True, k=g.any([None, -1, 1, 2]))


@operator("Range")
def arange(g):
    dtype = g.any([F32, I32, I64])
    start, delta = g.any([-3, 0, 2]), g.any([1, 2, -1, -3])
    limit = start + delta * g.any([1, 3, 7]) + g.any([0, 0, -1 if delta < -1 else 0])
    return g.node("Range", [g.constant(np.array(v, dtype)) for v in (start, limit, delta)], low=-30, high=30, exact=True)


@operator("Compress")
def compress(g):
    x = g.pick(SOME, ranks=[1, 2, 3])
    axis = g.axis(x.rank, g.opset >= 11)
    keep = g.array(BOOL, (x.shape[axis],))
    keep[g.below(x.shape[axis])] = True
    shape = list(x.shape)
    shape[axis] = int(keep.sum())
    return g.node("Compress", [x, g.constant(keep)], exact=x.exact, shape=shape, axis=axis)


@operator("NonZero", "Unique")
def data_decides(g, name):
    """The size is the run's: nothing else reads it."""
    if name == "Unique" and g.opset < 11:
        raise Skip
    if name == "NonZero":
        x = g.pick((F32, I32, I64, BOOL), ranks=[1, 2, 3], exact=True)
        shapes, outputs, attributes = [(I64, (x.rank, 1))], [(0, 10, True)], {}
    else:
        x = g.pick((F32, I64), ranks=[1, 2, 3], exact=True)
        axis = None if g.chance(0.5) else g.axis(x.rank)
        shapes = [(x.dtype, (1,) if axis is None else x.shape)] + [(I64, (1,))] * 3
        outputs, attributes = [(x.low, x.high, True)] * 4, {"axis": axis, "sorted": g.any([None, 0, 1])}
    made = g.nodes_out(name, [x], outputs, attributes, shapes=shapes)
    for value in made:
        value.final = True
    return made
