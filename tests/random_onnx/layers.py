"""Layers of networks: products, convolutions, pooling, normalization, recurrence, quantization."""

import numpy as np

from graph import F32, F64, I8, I32, I64, U8, Skip
from registry import operator


def reach(v):
    return max(abs(v.low), abs(v.high), 1e-3)


def tame(g, x, most=20):
    return g.inside(x, -most, most)


def weights(g, shape, depth):
    """Such that sums of `depth` products stay small."""
    scale = 2.0 / max(1, depth) ** 0.5
    value = g.array(F32, shape, -scale, scale)
    return g.constant(value) if g.chance(0.85) else g.new_input(F32, shape, -scale, scale)


def sums(x, w, depth):
    return dict(low=-reach(x) * reach(w) * depth, high=reach(x) * reach(w) * depth)


# Products.

@operator("MatMul")
def matmul(g):
    x = tame(g, g.pick((F32, F32, F64), ranks=[1, 2, 3, 4]))
    k, n = x.shape[-1], g.any([1, 2, 3, 8, 16, 17])
    shape = [k] if g.chance(0.1) else [k, n]
    if x.rank > 2 and len(shape) == 2 and g.chance(0.3):
        shape = [*[dim if g.chance(0.5) else 1 for dim in x.shape[:-2]], k, n]
    w = weights(g, shape, k) if x.dtype == F32 else g.constant(g.array(F64, shape))
    return g.node("MatMul", [x, w], **sums(x, w, k))


@operator("Gemm")
def gemm(g):
    x = tame(g, g.pick((F32,), rank=2))
    trans_a, trans_b = g.any([None, 1]), g.any([None, 1])
    k, m = (x.shape[0], x.shape[1]) if trans_a else (x.shape[1], x.shape[0])
    n = g.any([1, 3, 8, 10])
    w = weights(g, (n, k) if trans_b else (k, n), k)
    c = [g.fresh(F32, g.any([(n,), (m, n), (1,), (m, 1), ()]))] if g.opset < 11 or g.chance(0.7) else []
    limits = sums(x, w, k)
    return g.node("Gemm", [x, w, *c], low=2 * limits["low"] - 6, high=2 * limits["high"] + 6, transA=trans_a, transB=trans_b,
                  alpha=g.any([None, 0.5, 2.0]), beta=g.any([None, 0.5, 2.0]))


@operator("Einsum")
def einsum(g):
    if g.opset < 12:
        raise Skip
    a, b, c, d = (g.any([1, 2, 3, 5]) for _ in range(4))
    sizes = dict(zip("ijkl", (a, b, c, d)))
    equation = g.any(["ij,jk->ik", "ij,kj->ik", "bij,bjk->bik", "ij->ji", "ijk->k", "ij,ij->i", "ij,ij->", "i,j->ij", "ijk,kl->ijl", "ijk,ilk->ijl"])
    sizes["b"] = g.any([1, 2, 3])
    operands = [tame(g, g.pick((F32,), shape=[sizes[axis] for axis in term])) for term in equation.split("->")[0].split(",")]
    limit = np.prod([reach(v) for v in operands]) * 30
    return g.node("Einsum", operands, low=-limit, high=limit, equation=equation,
                  shape=[sizes[axis] for axis in equation.split("->")[1]])


@operator("MatMulInteger", "QLinearMatMul")
def integer_matmul(g, name):
    a_type, b_type = g.any([U8, I8] if name == "MatMulInteger" else [U8]), g.any([U8, I8])
    if a_type == I8:
        b_type = I8
    m, k, n = g.any([1, 2, 5]), g.any([1, 3, 8, 33]), g.any([1, 2, 8, 17])
    low = {U8: (0, 255), I8: (-128, 127)}
    a, b = g.new_input(a_type, (m, k), *low[a_type]), g.constant(g.array(b_type, (k, n), *low[b_type]))
    zero_a, zero_b = (g.constant(np.array(g.any([0, 3, 100]), t)) for t in (a_type, b_type))
    if name == "MatMulInteger":
        zeros = g.any([[], [zero_a], [zero_a, zero_b]])
        return g.node(name, [a, b, *zeros], low=-1e7, high=1e7, exact=True)
    scale = [g.constant(np.array(v, F32)) for v in (0.0625, 0.03125, float(k))]
    zero_y = g.constant(np.array(7, a_type))
    return g.node(name, [a, scale[0], zero_a, b, scale[1], zero_b, scale[2], zero_y], low=-128, high=255)


# Images and the like.

def image(g, dims, channels=None, least=1):
    channels = g.any([1, 2, 3, 4, 8]) if channels is None else channels
    shape = (g.any([1, 1, 2]), channels, *(g.any([n for n in (1, 3, 4, 5, 7, 8) if n >= least]) for _ in range(dims)))
    fits = [v for v in g.values if v.dtype == F32 and v.rank == dims + 2 and min(v.shape[2:], default=0) >= least and v.size <= 4000]
    return tame(g, g.any(fits)) if fits and g.chance(0.7) else g.new_input(F32, shape)


def window(g, sizes, may_pad=True):
    """Kernels, strides, dilations and pads with which a window fits."""
    kernel, strides, dilations, begin, end = [], [], [], [], []
    for size in sizes:
        k, d = g.any([1, 2, 3, 3]), g.any([1, 1, 1, 2])
        k, d = (k, d) if d * (k - 1) + 1 <= size else (min(k, size), 1)
        kernel.append(k)
        dilations.append(d)
        strides.append(g.any([1, 1, 2, 3]))
        most = k // 2 if may_pad else 0
        begin.append(g.below(most + 1))
        end.append(g.below(most + 1))
    return kernel, strides, dilations, begin + end


@operator("Conv", "ConvTranspose")
def conv(g, name):
    dims = g.any([1, 2, 2, 2, 3])
    x = image(g, dims)
    channels = x.shape[1]
    groups = g.any([1, 1, channels]) if channels > 1 else 1
    out = groups * g.any([1, 2, 4] if groups > 1 else [1, 3, 8])
    kernel, strides, dilations, pads = window(g, x.shape[2:])
    if name == "Conv":
        shape, depth = (out, channels // groups, *kernel), channels // groups * int(np.prod(kernel))
    else:
        shape, depth = (channels, out // groups, *kernel), channels * int(np.prod(kernel))
        smallest = min((s - 1) * t + d * (k - 1) + 1 - a - b for s, t, d, k, a, b in
                       zip(x.shape[2:], strides, dilations, kernel, pads[:dims], pads[dims:]))
        if smallest < 1:
            raise Skip
    w = weights(g, shape, depth)
    bias = [weights(g, (out,), 1)] if g.chance(0.6) else []
    limits = sums(x, w, depth)
    attributes = dict(kernel_shape=kernel if g.chance(0.7) else None, strides=strides, dilations=dilations, pads=pads, group=groups)
    if g.chance(0.2):
        del attributes["pads"]
        attributes["auto_pad"] = g.any(["SAME_UPPER", "SAME_LOWER", "VALID"]) if name == "Conv" else "VALID"
        if attributes["auto_pad"].startswith("SAME"):
            attributes["dilations"] = [1] * dims
    if name == "ConvTranspose" and g.chance(0.3):
        attributes["output_padding"] = [g.below(s) for s in strides]
    return g.node(name, [x, w, *bias], low=limits["low"] - 2, high=limits["high"] + 2, **attributes)


@operator("ConvInteger", "QLinearConv")
def integer_conv(g, name):
    channels, out, side = g.any([1, 3, 4]), g.any([1, 2, 8]), g.any([3, 5, 8])
    x = g.new_input(U8, (g.any([1, 2]), channels, side, side), 0, 255)
    w_type = g.any([U8, I8])
    kernel, strides, dilations, pads = window(g, (side, side))
    w = g.constant(g.array(w_type, (out, channels, *kernel), -128 if w_type == I8 else 0, 127))
    x_zero, w_zero = g.constant(np.array(g.any([0, 128]), U8)), g.constant(np.array(0 if w_type == I8 else g.any([0, 5]), w_type))
    attributes = dict(kernel_shape=kernel, strides=strides, dilations=dilations, pads=pads)
    if name == "ConvInteger":
        return g.node(name, [x, w, *g.any([[], [x_zero], [x_zero, w_zero]])], low=-1e7, high=1e7, exact=True, **attributes)
    per_channel = w_type == I8 and g.chance(0.5)
    w_scale = g.constant(g.array(F32, (out,), 0.02, 0.1) + np.float32(0.015625) if per_channel else np.array(0.03125, F32))
    if per_channel:
        w_zero = g.constant(np.zeros(out, I8))
    bias = [g.constant(g.array(I32, (out,), -1000, 1000))] if g.chance(0.5) else []
    y = [g.constant(np.array(float(channels), F32)), g.constant(np.array(g.any([0, 120]), U8))]
    return g.node(name, [x, g.constant(np.array(0.0625, F32)), x_zero, w, w_scale, w_zero, *y, *bias], low=0, high=255, **attributes)


@operator("MaxPool", "AveragePool", "LpPool")
def pool(g, name):
    if name == "LpPool" and g.opset >= 22:
        raise Skip  # ONNX Runtime has none of opset 22
    dims = g.any([1, 2, 2, 2, 3])
    x = image(g, dims)
    kernel, strides, dilations, pads = window(g, x.shape[2:])
    attributes = dict(kernel_shape=kernel, strides=strides, pads=pads)
    if name != "LpPool" and g.opset >= 10:
        attributes["ceil_mode"] = g.any([None, None, 1])
    if name == "MaxPool" and g.opset >= 10:
        attributes["dilations"] = dilations
    if name == "AveragePool":
        attributes["count_include_pad"] = g.any([None, 1])
    limit = reach(x) * (30 if name == "LpPool" else 1)
    return g.node(name, [x], low=-limit, high=limit, exact=x.exact and name == "MaxPool", **attributes)


@operator("GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool")
def global_pool(g, name):
    if name == "GlobalLpPool" and g.opset >= 22:
        raise Skip  # the same
    x = image(g, g.any([1, 2, 2, 3]))
    limit = reach(x) * (30 if name == "GlobalLpPool" else 1)
    return g.node(name, [x], low=-limit, high=limit, exact=x.exact and name == "GlobalMaxPool")


@operator("MaxPoolIndices")
def max_pool_indices(g):
    x = g.new_input(F32, (g.any([1, 2]), g.any([1, 3]), 6, 6))
    # Of equal ones, each implementation has its own favourite.
    g.inputs[x.name] = g.arrays.permutation(x.size).reshape(x.shape).astype(F32) / 16
    kernel, strides, _, pads = window(g, x.shape[2:])
    return g.nodes_out("MaxPool", [x], [(0, 30, True), (0, 1000, True)], dict(kernel_shape=kernel, strides=strides, pads=pads))


@operator("Resize", "Upsample")
def resize(g, name):
    x = image(g, 2)
    mode = g.any(["nearest", "linear", "cubic"] if name == "Resize" else ["nearest", "linear"])
    scales = g.any([(1.0, 1.0, 2.0, 2.0), (1.0, 1.0, 1.5, 3.0), (1.0, 1.0, 0.5, 2.0), (1.0, 1.0, 2.0, 1.0)])
    if name == "Upsample" or min(int(s * d) for s, d in zip(scales, x.shape)) < 1:
        scales = (1.0, 1.0, 2.0, 2.0)
    limits = dict(low=-3 * reach(x), high=3 * reach(x))
    if name == "Upsample":
        if g.opset != 9:
            raise Skip
        return g.node(name, [x, g.constant(np.array(scales, F32))], mode=mode, **limits)
    if g.opset < 11:
        raise Skip
    coordinates = g.any(["half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"])
    if coordinates == "align_corners" and any(s * d % 1 for s, d in zip(scales, x.shape)):
        raise Skip  # see theirs.txt
    attributes = dict(mode=mode, coordinate_transformation_mode=coordinates)
    if mode == "nearest":
        attributes["nearest_mode"] = g.any(["floor", "ceil", "round_prefer_floor", "round_prefer_ceil"])
    if mode == "cubic":
        attributes["cubic_coeff_a"] = g.any([None, -0.5])
    return g.node(name, [x, None if g.opset >= 13 else g.constant(np.zeros(0, F32)), g.constant(np.array(scales, F32))], **limits, **attributes)


@operator("GridSample")
def grid_sample(g):
    if g.opset < 16:
        raise Skip
    x = image(g, 2)
    grid = g.fresh(F32, (x.shape[0], g.any([1, 3]), g.any([2, 4]), 2), -1.2, 1.2)
    mode = g.any(["linear", "cubic"] if g.opset >= 20 else ["bilinear", "bicubic"])
    return g.node("GridSample", [x, grid], low=-3 * reach(x), high=3 * reach(x), mode=mode, align_corners=g.any([None, 1]),
                  padding_mode=g.any(["zeros", "border", "reflection"]))


@operator("RoiAlign")
def roi_align(g):
    if g.opset < 10 or g.opset >= 22:
        raise Skip  # ONNX Runtime has none of opset 22
    x = image(g, 2, least=4)
    rois = np.sort(g.arrays.integers(0, 4 * min(x.shape[2:]), (3, 2, 2)), axis=1).reshape(3, 4).astype(F32) / 4 + np.array([0, 0, .5, .5], F32)
    indices = g.constant(g.array(I64, (3,), 0, x.shape[0] - 1))
    attributes = dict(output_height=g.any([1, 2]), output_width=g.any([1, 3]), sampling_ratio=g.any([1, 2, 3]), spatial_scale=g.any([1.0, 0.5]),
                      mode=g.any([None, "max"]))
    if g.opset >= 16:
        attributes["coordinate_transformation_mode"] = g.any([None, "output_half_pixel"])
    return g.node("RoiAlign", [x, g.constant(rois), indices], **attributes)


# Normalization.

@operator("BatchNormalization")
def batch_normalization(g):
    x = image(g, g.any([0, 1, 2, 2, 3]))
    channels = (x.shape[1],)
    parameters = [g.constant(g.array(F32, channels, low, high)) for low, high in ((-2, 2), (-2, 2), (-2, 2), (0.5, 4))]
    return g.node("BatchNormalization", [x, *parameters], low=-4 * reach(x) - 10, high=4 * reach(x) + 10, epsilon=g.any([None, 1e-3]))


@operator("InstanceNormalization", "LayerNormalization", "MeanVarianceNormalization", "LRN", "LpNormalization")
def normalization(g, name):
    if name == "InstanceNormalization":
        x = image(g, g.any([1, 2, 2, 3]), least=3)
        parameters = [weights(g, (x.shape[1],), 1) for _ in range(2)]
        return g.node(name, [x, *parameters], low=-20, high=20, epsilon=0.125)
    if name == "LRN":
        x = image(g, 2)
        return g.node(name, [x], size=g.any([1, 3, 5]), alpha=g.any([None, 0.5]), beta=g.any([None, 0.5]), bias=g.any([None, 2.0]))
    if name == "LpNormalization":
        x = g.inside(g.pick((F32,), ranks=[1, 2, 3]), 0.5, 20)
        return g.node(name, [x], low=0, high=1, axis=g.axis(x.rank), p=g.any([None, 1, 2]))
    if name == "MeanVarianceNormalization":
        # Without an epsilon that counts: of elements that differ.
        return g.node(name, [g.new_input(F32, (2, 3, 4, 5))], low=-10, high=10, axes=g.any([None, [0, 2, 3], [2, 3]]))
    if g.opset < 17:
        raise Skip
    x = tame(g, g.pick((F32,), ranks=[2, 3, 4]))
    axis = g.axis(x.rank)
    shape = x.shape[axis % x.rank:]
    parameters = [weights(g, shape, 1) for _ in range(g.any([1, 2]))]
    return g.node(name, [x, *parameters], low=-30, high=30, axis=axis, epsilon=0.125)


@operator("Softmax", "LogSoftmax", "Hardmax")
def softmax(g, name):
    x = g.inside(g.pick((F32,), ranks=[1, 2, 3, 4], exact=name == "Hardmax"), -20, 20)
    return g.node(name, [x], low=-50, high=1, exact=x.exact and name == "Hardmax", axis=g.axis(x.rank, g.opset >= 11))


# Reduction and order.

@operator("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSum",
          "ReduceLogSumExp")
def reduction(g, name):
    integer = name in ("ReduceSum", "ReduceMax", "ReduceMin", "ReduceL1", "ReduceSumSquare") and g.chance(0.2)
    x = g.pick((I32, I64) if integer else (F32,), ranks=[1, 2, 3, 4], where=lambda v: v.dtype == F32 or reach(v) < 1e4)
    if not integer:
        low, high = {"ReduceLogSum": (0.1, 20), "ReduceLogSumExp": (-10, 10), "ReduceProd": (-1.5, 1.5)}.get(name, (-1e3, 1e3))
        x = g.inside(x, low, high)
    axes = g.random.sample(range(x.rank), 1 + g.below(x.rank))
    if name == "ReduceProd" and np.prod([x.shape[a] for a in axes]) > 16 or name == "ReduceMean" and x.size == 0:
        raise Skip
    may_be_negative = g.opset >= 11 and x.size > 0
    axes = None if g.chance(0.15) else [a - x.rank if may_be_negative and g.chance(0.3) else a for a in axes]
    limit = max(reach(x), reach(x) ** 2 if "Square" in name else 0) * max(1, x.size if "Max" not in name and "Min" not in name else 1) + 10
    exact = x.exact and (name in ("ReduceMax", "ReduceMin") or integer)
    keep = g.any([None, 0, 1])
    if axes is not None and (g.opset >= 18 or name == "ReduceSum" and g.opset >= 13):
        shape = None
        if g.opset >= 18:
            gone = {a % x.rank for a in axes}
            shape = [1 if i in gone else dim for i, dim in enumerate(x.shape) if i not in gone or keep != 0]
        return g.node(name, [x, g.constant(np.array(axes, I64))], low=-limit, high=limit, exact=exact, keepdims=keep, shape=shape)
    return g.node(name, [x], low=-limit, high=limit, exact=exact, keepdims=keep, axes=axes)


@operator("ArgMax", "ArgMin")
def arg(g, name):
    x = g.pick((F32, I32), ranks=[1, 2, 3, 4], exact=True)
    axis = g.axis(x.rank, g.opset >= 11)
    return g.node(name, [x], low=0, high=max(x.shape), exact=True, axis=axis, keepdims=g.any([None, 0]),
                  select_last_index=g.any([None, 1]) if g.opset >= 12 else None)


@operator("TopK")
def top_k(g):
    shape = g.shape(g.any([1, 2, 3]))
    x = g.new_input(F32, shape)
    g.inputs[x.name] = (g.arrays.permutation(x.size).reshape(shape) / 8 - 4).astype(F32)  # no two are equal
    x.low, x.high = -4, x.size / 8
    axis = g.axis(x.rank)
    k = g.constant(np.array([1 + g.below(shape[axis])], I64))
    return g.nodes_out("TopK", [x, k], [(x.low, x.high, True), (0, 10, True)], dict(axis=axis, largest=g.any([None, 0])))


@operator("CumSum")
def cumsum(g):
    x = g.pick((F32, I32, I64), ranks=[1, 2, 3], where=lambda v: reach(v) < 1e4)
    axis = g.axis(x.rank)
    limit = reach(x) * x.shape[axis]
    return g.node("CumSum", [x, g.constant(np.array(axis, I64))], low=-limit, high=limit, exact=x.exact and x.dtype != F32,
                  exclusive=g.any([None, 1]), reverse=g.any([None, 1]))


@operator("NonMaxSuppression")
def non_max_suppression(g):
    if g.opset < 10:
        raise Skip
    count = g.any([4, 9])
    corner = g.arrays.integers(0, 8, (1, count, 2))
    boxes = np.concatenate([corner, corner + g.arrays.integers(1, 6, (1, count, 2))], -1).astype(F32)
    scores = (g.arrays.permutation(2 * count).reshape(1, 2, count) / 16).astype(F32)
    limits = [g.constant(np.array([g.any([1, 3, 100])], I64)), g.constant(np.array([g.any([0.3, 0.45])], F32)), g.constant(np.array([0.2], F32))]
    made = g.nodes_out("NonMaxSuppression", [g.constant(boxes), g.constant(scores), *limits], [(0, 10, True)], shapes=[(I64, (1, 3))])
    made[0].final = True
    return made


# Quantization.

@operator("QuantizeLinear", "DequantizeLinear", "DynamicQuantizeLinear")
def quantization(g, name):
    if name == "QuantizeLinear":
        # Scales that are powers of two: quotients are exact, and ties are ties everywhere.
        x = g.pick((F32,), exact=True)
        scale = g.constant(np.array(g.any([0.0625, 0.25]), F32))
        zero = g.constant(np.array(g.any([0, 10]), g.any([U8, I8])))
        return g.node(name, [x, scale, zero], low=-128, high=255, exact=True)
    if name == "DequantizeLinear":
        x = g.pick((U8, I8, I32), ranks=[1, 2, 3, 4], exact=True)
        if x.dtype == I32:
            return g.node(name, [x, g.constant(np.array(0.125, F32))], low=x.low / 8, high=x.high / 8)
        if g.opset >= 13 and g.chance(0.4):
            axis = g.axis(x.rank)
            parameters = [g.constant(g.array(F32, (x.shape[axis],), 0.25, 2)), g.constant(g.array(x.dtype, (x.shape[axis],), 0, 9))]
            return g.node(name, [x, *parameters], low=-600, high=600, axis=axis)
        return g.node(name, [x, g.constant(np.array(0.125, F32)), g.constant(np.array(3, x.dtype))], low=-40, high=40, exact=True)
    x = g.pick((F32,), exact=True, where=lambda v: v.size > 0)
    return g.nodes_out(name, [x], [(0, 255, False), (0, 10, False), (0, 255, False)])


@operator("Dropout")
def dropout(g):
    x = g.pick((F32,))
    return g.node("Dropout", [x], exact=x.exact)


# Recurrence.

@operator("RNN", "GRU", "LSTM")
def recurrent(g, name):
    steps, batch, size, hidden = g.any([1, 2, 4]), g.any([1, 3]), g.any([1, 2, 5]), g.any([1, 3, 4])
    direction = g.any(["forward", "reverse", "bidirectional"])
    directions, gates = (2 if direction == "bidirectional" else 1), {"RNN": 1, "GRU": 3, "LSTM": 4}[name]
    x = tame(g, g.pick((F32,), shape=(steps, batch, size)))
    w = g.constant(g.array(F32, (directions, gates * hidden, size), -1, 1))
    r = g.constant(g.array(F32, (directions, gates * hidden, hidden), -1, 1))
    b = g.constant(g.array(F32, (directions, 2 * gates * hidden), -1, 1)) if g.chance(0.7) else None
    lengths = g.constant(g.array(I32, (batch,), 1, steps)) if g.chance(0.3) else None
    first = g.fresh(F32, (directions, batch, hidden), -1, 1) if g.chance(0.5) else None
    inputs, attributes = [x, w, r, b, lengths, first], dict(hidden_size=hidden, direction=direction)
    if name == "GRU":
        attributes["linear_before_reset"] = g.any([None, 1])
    if name == "LSTM" and first is not None:
        inputs.append(g.fresh(F32, (directions, batch, hidden), -1, 1))
    outputs = [(-1, 1, False)] * 2 + ([(-20, 20, False)] if name == "LSTM" else [])
    return g.nodes_out(name, inputs, outputs, attributes)


# Others.

@operator("Det")
def det(g):
    side = g.any([1, 2, 3, 4])
    x = tame(g, g.pick((F32,), shape=g.any([(side, side), (2, side, side)])), 3)
    return g.node("Det", [x], low=-2000, high=2000)


@operator("HannWindow", "HammingWindow", "BlackmanWindow")
def window_function(g, name):
    if g.opset < 17:
        raise Skip
    size = g.any([1, 4, 9])
    return g.node(name, [g.constant(np.array(size, I64))], low=0, high=1, periodic=g.any([None, 0]), shape=(size,), dtype=F32)


@operator("DFT")
def dft(g):
    if g.opset != 17:
        raise Skip
    x = tame(g, g.pick((F32,), shape=(g.any([1, 2]), g.any([4, 5, 8]), g.any([1, 2]))))
    one_sided = g.any([None, 1]) if x.shape[2] == 1 else None
    size = x.shape[1] // 2 + 1 if one_sided else x.shape[1]
    limit = reach(x) * 20
    return g.node("DFT", [x], low=-limit, high=limit, axis=1, onesided=one_sided, shape=(x.shape[0], size, 2))


@operator("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def loss(g, name):
    if g.opset < 13:
        raise Skip
    batch, classes = g.any([1, 3]), g.any([2, 5])
    x = tame(g, g.pick((F32,), shape=(batch, classes, *g.any([(), (3,), (2, 2)]))))
    target = g.constant(g.array(I64, (batch, *x.shape[2:]), 0, classes - 1))
    weight = [g.constant(g.array(F32, (classes,), 0.5, 2))] if g.chance(0.5) else []
    return g.node(name, [x, target, *weight], low=-100, high=100, reduction=g.any(["mean", "sum", "none"]))


@operator("GroupNormalization")
def group_normalization(g):
    if g.opset < 21:
        raise Skip
    x = image(g, 2, g.any([2, 4]), least=3)
    if x.shape[1] % 2:
        raise Skip
    parameters = [weights(g, (x.shape[1],), 1) for _ in range(2)]
    return g.node("GroupNormalization", [x, *parameters], low=-30, high=30, epsilon=0.125, num_groups=2, shape=x.shape)
