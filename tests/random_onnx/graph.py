"""A typed random ONNX graph that grows node by node.

Every value knows its type, shape and a range that its elements stay in, so that functions get what they are defined for. A value is
exact where every implementation gives the same bits: inputs, integers, what is moved. Only exact values go into what jumps
(Floor, comparisons, ArgMax), where a difference in the last bit would become one of whole numbers.
"""

import random
from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper, shape_inference

F16, F32, F64 = np.dtype("float16"), np.dtype("float32"), np.dtype("float64")
I8, U8, I32, I64, BOOL = (np.dtype(name) for name in ("int8", "uint8", "int32", "int64", "bool"))
TENSOR_TYPES = {dtype: helper.mapping.NP_TYPE_TO_TENSOR_TYPE[dtype] for dtype in (F16, F32, F64, I8, U8, I32, I64, BOOL)}
MOST_ELEMENTS = 6000


class Skip(Exception):
    """No such node can be added here."""


@dataclass
class Value:
    name: str
    dtype: np.dtype
    shape: tuple
    low: float
    high: float
    exact: bool
    data: np.ndarray = None  # of a constant
    final: bool = False  # its size is the run's, and nothing reads it

    @property
    def rank(self):
        return len(self.shape)

    @property
    def size(self):
        return int(np.prod(self.shape, dtype=np.int64))


@dataclass
class Graph:
    seed: int
    opset: int
    values: list = field(default_factory=list)
    nodes: list = field(default_factory=list)
    inputs: dict = field(default_factory=dict)  # name: array
    constants: dict = field(default_factory=dict)

    def __post_init__(self):
        self.random = random.Random(self.seed)
        self.arrays = np.random.default_rng(self.seed)
        self.count = 0
        self.used = set()

    # Random choices.

    def chance(self, p):
        return self.random.random() < p

    def below(self, n):
        return self.random.randrange(n)

    def any(self, items):
        return self.random.choice(list(items))

    def axis(self, rank, may_be_negative=True):
        if rank == 0:
            raise Skip
        axis = self.below(rank)
        return axis - rank if may_be_negative and self.chance(0.3) else axis

    def shape(self, rank=None, most=7):
        rank = self.any([1, 2, 2, 3, 3, 4, 4, 5]) if rank is None else rank
        return tuple(self.any([1, 2, 3, 4, 5, most]) for _ in range(rank))

    def array(self, dtype, shape, low=-3.0, high=3.0):
        if dtype == BOOL:
            return self.arrays.integers(0, 2, shape).astype(bool)
        if dtype.kind in "iu":
            info = np.iinfo(dtype)
            return self.arrays.integers(max(int(np.ceil(low)), info.min), min(int(high), info.max), shape, endpoint=True).astype(dtype)
        # Multiples of 1/64: many ties, and sums that are exact for a while.
        values = self.arrays.uniform(low, high, shape)
        return np.clip(np.round(values * 64) / 64, low, high).astype(dtype)

    # Values.

    def name(self, stem="v"):
        self.count += 1
        return f"{stem}{self.count}"

    def constant(self, array, stem="c"):
        array = np.asarray(array)
        name = self.name(stem)
        self.constants[name] = array
        low, high = (0.0, 0.0) if array.size == 0 else (float(array.min()), float(array.max()))
        return Value(name, array.dtype, array.shape, low, high, True, array)

    def new_input(self, dtype=F32, shape=None, low=-3.0, high=3.0):
        shape = self.shape() if shape is None else tuple(shape)
        array = self.array(dtype, shape, low, high)
        name = self.name("x")
        self.inputs[name] = array
        if dtype == BOOL:
            low, high = 0, 1
        if dtype == U8:
            low = max(low, 0)
        value = Value(name, dtype, shape, low, high, True)
        self.values.append(value)
        return value

    def fresh(self, dtype=F32, shape=None, low=-3.0, high=3.0):
        """A constant or an input."""
        shape = self.shape() if shape is None else tuple(shape)
        if self.chance(0.4):
            return self.constant(self.array(dtype, shape, low, high))
        return self.new_input(dtype, shape, low, high)

    def pick(self, dtypes=(F32,), rank=None, ranks=None, exact=False, where=lambda v: True, shape=None):
        """A value of the graph that fits, the latest ones first, or a new input."""
        ranks = [rank] if rank is not None else ranks
        fitting = [v for v in self.values if not v.final and v.dtype in dtypes and (ranks is None or v.rank in ranks) and (v.exact or not exact)
                   and (shape is None or v.shape == tuple(shape)) and v.size <= MOST_ELEMENTS and where(v)]
        if fitting and self.chance(0.85):
            return fitting[-1 - min(self.below(len(fitting)), self.below(len(fitting)))]
        dtype = self.any(dtypes)
        for _ in range(10):
            size = shape if shape is not None else self.shape(None if ranks is None else self.any(ranks))
            value = Value("", dtype, tuple(size), -3, 3, True)
            if where(value):
                return self.new_input(dtype, size)
        raise Skip

    def inside(self, value, low, high):
        """The value, clipped if it may leave [low, high]."""
        if value.low >= low and value.high <= high:
            return value
        return self.clip(value, low, high)

    def clip(self, value, low=None, high=None):
        limits = dict(low=value.low if low is None else low, high=value.high if high is None else high, exact=value.exact)
        if self.opset < 12 and value.dtype != F32:
            raise Skip
        if self.opset < 11:
            return self.node("Clip", [value], **limits, min=low, max=high)
        bounds = [None if bound is None else self.constant(np.array(bound, value.dtype)) for bound in (low, high)]
        return self.node("Clip", [value, *bounds], **limits)

    # Nodes.

    def nodes_out(self, op, inputs, outputs, attributes=None, domain="", shapes=None):
        """Adds a node with several outputs, given as (low, high, exact) each. Types and shapes are inferred unless given."""
        names = [self.name() for _ in outputs]
        attributes = {name: float(value) if name in ("min", "max") else value for name, value in (attributes or {}).items()
                      if value is not None}
        input_names = ["" if v is None else v.name for v in inputs]
        node = helper.make_node(op, input_names, names, domain=domain, **attributes)
        types = shapes or self.infer(node, inputs)
        self.nodes.append(node)
        self.used.update(input_names)
        results = []
        for name, (dtype, shape), (low, high, exact) in zip(names, types, outputs):
            value = Value(name, np.dtype(dtype), tuple(shape), low, high, exact)
            results.append(value)
            self.values.append(value)
        return results

    def node(self, op, inputs, low=None, high=None, exact=False, domain="", shape=None, dtype=None, **attributes):
        low = inputs[0].low if low is None else low
        high = inputs[0].high if high is None else high
        shapes = None if shape is None else [(dtype or inputs[0].dtype, shape)]
        return self.nodes_out(op, inputs, [(low, high, exact)], attributes, domain, shapes)[0]

    def infer(self, node, inputs):
        known = [v for v in inputs if v is not None]
        ports = {v.name: helper.make_tensor_value_info(v.name, TENSOR_TYPES[v.dtype], v.shape) for v in known}
        constants = [numpy_helper.from_array(v.data, v.name) for v in {v.name: v for v in known}.values() if v.data is not None]
        graph = helper.make_graph([node], "g", list(ports.values()), [], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", min(self.opset, 17))])
        found = {v.name: v.type.tensor_type for v in shape_inference.infer_shapes(model, data_prop=True).graph.value_info}
        types = []
        for name in node.output:
            if name not in found or not found[name].HasField("shape"):
                raise Skip
            dims = [d.dim_value if d.HasField("dim_value") else -1 for d in found[name].shape.dim]
            if min(dims, default=0) < 0 or np.prod(dims, dtype=np.float64) > 20 * MOST_ELEMENTS:
                raise Skip
            types.append((helper.mapping.TENSOR_TYPE_TO_NP_TYPE[found[name].elem_type], dims))
        return types

    def subgraph(self, nodes, inputs, outputs):
        """For an attribute: inputs and outputs as values or (name, dtype, shape)."""
        def port(v):
            name, dtype, shape = (v.name, v.dtype, v.shape) if isinstance(v, Value) else v
            return helper.make_tensor_value_info(name, TENSOR_TYPES[np.dtype(dtype)], shape)
        return helper.make_graph(nodes, self.name("body"), [port(v) for v in inputs], [port(v) for v in outputs])

    # The whole.

    def snapshot(self):
        return (len(self.values), len(self.nodes), dict(self.inputs), dict(self.constants), set(self.used))

    def restore(self, snapshot):
        values, nodes, self.inputs, self.constants, self.used = snapshot
        del self.values[values:], self.nodes[nodes:]

    def model(self):
        made = {name for node in self.nodes for name in node.output}
        outputs = [v for v in self.values if v.name in made and v.name not in self.used]
        needed = {name for node in self.nodes for name in node.input}
        for node in self.nodes:  # what bodies read
            for attribute in node.attribute:
                if attribute.HasField("g"):
                    needed.update(name for inner in attribute.g.node for name in inner.input)
        self.inputs = {name: array for name, array in self.inputs.items() if name in needed}
        inputs = [helper.make_tensor_value_info(name, TENSOR_TYPES[a.dtype], a.shape) for name, a in self.inputs.items()]
        constants = [numpy_helper.from_array(a, name) for name, a in self.constants.items() if name in needed]
        ports = [helper.make_tensor_value_info(v.name, TENSOR_TYPES[v.dtype], None) for v in outputs]
        graph = helper.make_graph(self.nodes, f"random{self.seed}", inputs, ports, constants)
        opsets = [helper.make_opsetid("", self.opset), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=8)
