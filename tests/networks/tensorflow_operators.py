"""TensorFlow's operators that TensorFlow.js runs, too: {name: Case}."""
import numpy as np

from tensorflow_graphs import Case, List, node
from tensorflow_lists import CASES as LISTS

RANDOM = np.random.default_rng(7)
F, I, B, L = 'DT_FLOAT', 'DT_INT32', 'DT_BOOL', 'DT_INT64'
CASES = dict(LISTS)


def r(*shape, low=-2.0, high=2.0):
    return RANDOM.uniform(low, high, shape).astype(np.float32)


def ints(values):
    return np.array(values, np.int32)


def scalar(value):
    return np.array(value, np.float32 if isinstance(value, float) else np.int32)


def add(name, op, *arguments, outputs=1, constants=(), inputs=None, T=F, **attributes):
    """One operator. Arguments are arrays: inputs of the graph, or its constants where their positions are said so."""
    names = [f'x{i}' for i in range(len(arguments))]
    given = {n: a for i, (n, a) in enumerate(zip(names, arguments)) if i not in constants}
    fixed = {n: a for i, (n, a) in enumerate(zip(names, arguments)) if i in constants}
    fetches = ['y'] if outputs == 1 else [f'y:{i}' for i in range(outputs)]
    if T:
        attributes = {'T': T, **attributes}
    CASES[name] = Case([node('y', op, inputs or names, **attributes)], given, fixed, fetches)


X = r(2, 3, 4)
for op in ('Abs Atan Ceil Cos Cosh Elu Erf Exp Expm1 Floor Identity IsFinite IsInf IsNan LeakyRelu LogSoftmax Neg OnesLike Relu Relu6 Round '
           'Selu Sigmoid Sign Sin Sinh Snapshot Softmax Softplus Square StopGradient Tan Tanh ZerosLike').split():
    add(op, op, X)
for op in ('Acos', 'Asin', 'Atanh'):
    add(op, op, r(2, 5, low=-.95, high=.95))
for op in ('Acosh', 'Log', 'Log1p', 'Reciprocal', 'Rsqrt', 'Sqrt'):
    add(op, op, r(2, 5, low=1.1, high=4))
add('Asinh', 'Asinh', X)
add('LeakyRelu_alpha', 'LeakyRelu', X, alpha=.3)
add('Round_halves', 'Round', np.array([-2.5, -1.5, -.5, .5, 1.5, 2.5], np.float32))
add('not_numbers', 'IsNan', np.array([1, np.nan, np.inf, -np.inf], np.float32))
add('LogicalNot', 'LogicalNot', np.array([True, False]), T=None)

Y = r(2, 3, 4, low=.5, high=3)
for op in ('Add AddV2 Atan2 Div DivNoNan Equal FloorDiv FloorMod Greater GreaterEqual Less LessEqual Maximum Minimum Mul '
           'NotEqual RealDiv SquaredDifference Sub').split():
    add(op, op, X, Y)
    add(op + '_broadcast', op, X, r(3, 1, low=.5, high=3))
add('Pow', 'Pow', Y, X)
add('Mod', 'Mod', Y, r(3, 1, low=.5, high=3))
add('Mod_integers', 'FloorMod', ints([-7, -6, 5, 9]), ints([3, -4, -3, 5]), T=I)
add('FloorDiv_integers', 'FloorDiv', ints([-7, -6, 5, 9]), ints([3, -4, -3, 5]), T=I)
add('AddN', 'AddN', X, Y, X, N=3)
add('BiasAdd', 'BiasAdd', X, r(4))
add('LogicalAnd', 'LogicalAnd', np.array([True, True, False]), np.array([True, False, False]), T=None)
add('LogicalOr', 'LogicalOr', np.array([True, True, False]), np.array([True, False, False]), T=None)
add('Select', 'Select', np.array([[True, False], [False, True]]), r(2, 2), r(2, 2))
add('SelectV2', 'SelectV2', np.array([[True], [False]]), r(2, 3), r(3))
add('ClipByValue', 'ClipByValue', X, scalar(-.5), scalar(.75), constants=[1, 2])
for source, target in ((F, I), (I, F), (F, B), (I, B)):
    values = r(6, low=-3, high=3) if source == F else ints([-2, -1, 0, 1, 2])
    add(f'Cast_{source}_{target}', 'Cast', values, T=None, SrcT=source, DstT=target)

for op in ('Max', 'Mean', 'Min', 'Prod', 'Sum'):
    add(op, op, X, ints([1]), constants=[1], Tidx=I, keep_dims=False)
    add(op + '_two', op, X, ints([0, -1]), constants=[1], Tidx=I, keep_dims=True)
    add(op + '_all', op, X, ints([0, 1, 2]), constants=[1], Tidx=I, keep_dims=False)
add('EuclideanNorm', 'EuclideanNorm', X, ints([1]), constants=[1], Tidx=I, keep_dims=True)
for op in ('All', 'Any'):
    add(op, op, X > 0, ints([1]), constants=[1], T=None, Tidx=I, keep_dims=False)
for op in ('ArgMax', 'ArgMin'):
    add(op, op, X, scalar(1), constants=[1], Tidx=I, output_type=I)
for exclusive in (False, True):
    for reverse in (False, True):
        for op in ('Cumsum', 'Cumprod'):
            add(f'{op}_{exclusive}_{reverse}', op, X, scalar(1), constants=[1], Tidx=I, exclusive=exclusive, reverse=reverse)

IMAGE, KERNEL = r(2, 9, 8, 3), r(3, 3, 3, 5)
for padding in ('SAME', 'VALID'):
    for stride in (1, 2):
        add(f'Conv2D_{padding}_{stride}', 'Conv2D', IMAGE, KERNEL, constants=[1], strides=[1, stride, stride, 1], padding=padding,
            data_format='NHWC', dilations=[1, 1, 1, 1])
        add(f'DepthwiseConv2dNative_{padding}_{stride}', 'DepthwiseConv2dNative', IMAGE, r(3, 3, 3, 2), constants=[1],
            strides=[1, stride, stride, 1], padding=padding, data_format='NHWC', dilations=[1, 1, 1, 1])
        for op in ('AvgPool', 'MaxPool'):
            add(f'{op}_{padding}_{stride}', op, IMAGE, ksize=[1, 3, 2, 1], strides=[1, stride, stride, 1], padding=padding,
                data_format='NHWC')
add('Conv2D_dilated', 'Conv2D', IMAGE, KERNEL, constants=[1], strides=[1, 1, 1, 1], padding='SAME', data_format='NHWC',
    dilations=[1, 2, 2, 1])
add('Conv2D_explicit', 'Conv2D', IMAGE, KERNEL, constants=[1], strides=[1, 2, 1, 1], padding='EXPLICIT', data_format='NHWC',
    explicit_paddings=[0, 0, 1, 2, 0, 1, 0, 0], dilations=[1, 1, 1, 1])
add('DepthwiseConv2dNative_dilated', 'DepthwiseConv2dNative', IMAGE, r(3, 3, 3, 1), constants=[1], strides=[1, 1, 1, 1],
    padding='VALID', data_format='NHWC', dilations=[1, 2, 3, 1])
for padding, size in (('SAME', (18, 16)), ('VALID', (19, 17))):
    add(f'Conv2DBackpropInput_{padding}', 'Conv2DBackpropInput', ints([2, *size, 3]), r(3, 3, 3, 5), r(2, 9, 8, 5), constants=[0, 1],
        strides=[1, 2, 2, 1], padding=padding, data_format='NHWC', dilations=[1, 1, 1, 1])
VOLUME = r(1, 5, 6, 7, 2)
for padding in ('SAME', 'VALID'):
    add(f'Conv3D_{padding}', 'Conv3D', VOLUME, r(3, 2, 3, 2, 4), constants=[1], strides=[1, 1, 2, 1, 1], padding=padding,
        data_format='NDHWC', dilations=[1, 1, 1, 1, 1])
    for op in ('AvgPool3D', 'MaxPool3D'):
        add(f'{op}_{padding}', op, VOLUME, ksize=[1, 2, 2, 2, 1], strides=[1, 2, 2, 2, 1], padding=padding, data_format='NDHWC')
add('_FusedConv2D', '_FusedConv2D', IMAGE, KERNEL, r(5), constants=[1, 2], num_args=1, fused_ops=List('s', [b'BiasAdd', b'Relu']),
    strides=[1, 1, 1, 1], padding='SAME', data_format='NHWC', dilations=[1, 1, 1, 1], epsilon=.0)
add('_FusedConv2D_elu', '_FusedConv2D', IMAGE, KERNEL, r(5), constants=[1, 2], num_args=1, fused_ops=List('s', [b'BiasAdd', b'Elu']),
    strides=[1, 1, 1, 1], padding='SAME', data_format='NHWC', dilations=[1, 1, 1, 1], epsilon=.0)
add('_FusedMatMul', '_FusedMatMul', r(3, 4), r(4, 5), r(5), constants=[1, 2], num_args=1, fused_ops=List('s', [b'BiasAdd', b'Relu']),
    transpose_a=False, transpose_b=False, epsilon=.0)
for op in ('FusedBatchNorm', 'FusedBatchNormV2', 'FusedBatchNormV3'):
    extra = {} if op == 'FusedBatchNorm' else {'U': F}
    add(op, op, IMAGE, r(3), r(3), r(3), r(3, low=.5), constants=[1, 2, 3, 4], epsilon=.001, is_training=False, data_format='NHWC', **extra)
add('LRN', 'LRN', r(1, 3, 4, 9), depth_radius=2, bias=1.5, alpha=.3, beta=.75)
add('MaxPoolWithArgmax', 'MaxPoolWithArgmax', r(1, 6, 6, 2), ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='VALID',
    include_batch_in_index=False, outputs=2)

for a in (False, True):
    for b in (False, True):
        add(f'MatMul_{a}_{b}', 'MatMul', r(*((4, 3) if a else (3, 4))), r(*((5, 4) if b else (4, 5))), transpose_a=a, transpose_b=b)
        add(f'BatchMatMulV2_{a}_{b}', 'BatchMatMulV2', r(2, *((4, 3) if a else (3, 4))), r(2, *((5, 4) if b else (4, 5))), adj_x=a, adj_y=b)
add('BatchMatMul', 'BatchMatMul', r(2, 3, 4), r(2, 4, 5), adj_x=False, adj_y=False)
add('BatchMatMulV2_broadcast', 'BatchMatMulV2', r(2, 3, 3, 4), r(4, 5), adj_x=False, adj_y=False)
add('Einsum', 'Einsum', r(2, 3, 4), r(4, 5), N=2, equation='bij,jk->bik')
add('Einsum_outer', 'Einsum', r(3), r(4), N=2, equation='i,j->ij')
add('Transpose', 'Transpose', X, ints([2, 0, 1]), constants=[1], Tperm=I)
# TensorFlow.js reads the first of both numbers twice.
add('MatrixBandPart', 'MatrixBandPart', r(2, 4, 5), scalar(1), scalar(1), constants=[1, 2], Tindex=I)

add('Reshape', 'Reshape', X, ints([4, -1]), constants=[1], Tshape=I)
add('ExpandDims', 'ExpandDims', X, scalar(-2), constants=[1], Tdim=I)
add('Squeeze', 'Squeeze', r(1, 3, 1, 2), squeeze_dims=[2])
add('Concat', 'Concat', scalar(1), X, Y, constants=[0], N=2)
add('ConcatV2', 'ConcatV2', X, r(2, 3, 2), scalar(-1), constants=[2], N=2, Tidx=I)
add('Pack', 'Pack', X, Y, N=2, axis=1)
add('Unpack', 'Unpack', X, num=3, axis=1, outputs=3)
add('Split', 'Split', scalar(2), X, constants=[0], num_split=2, outputs=2)
add('SplitV', 'SplitV', X, ints([1, 3]), scalar(2), constants=[1, 2], num_split=2, Tlen=I, outputs=2)
add('Slice', 'Slice', X, ints([0, 1, 2]), ints([2, 2, -1]), constants=[1, 2], Index=I)
for name, begin, end, strides, masks in (
        ('plain', [0, 1, 1], [2, 3, 3], [1, 1, 1], {}), ('steps', [0, 2, 3], [2, 0, 0], [1, -1, -2], {}),
        ('begin', [0, 2, 1], [2, 3, 3], [1, 1, 1], {'begin_mask': 2}), ('end', [0, 1, 1], [2, 2, 3], [1, 1, 1], {'end_mask': 6}),
        ('ellipsis', [0, 1], [0, 3], [1, 1], {'ellipsis_mask': 1}), ('new', [0, 0, 1], [2, 0, 3], [1, 1, 1], {'new_axis_mask': 2}),
        ('shrink', [1, 0, -1], [2, 3, 0], [1, 1, 1], {'shrink_axis_mask': 5})):
    all_masks = {k: masks.get(k, 0) for k in ('begin_mask', 'end_mask', 'ellipsis_mask', 'new_axis_mask', 'shrink_axis_mask')}
    add(f'StridedSlice_{name}', 'StridedSlice', X, ints(begin), ints(end), ints(strides), constants=[1, 2, 3], Index=I, **all_masks)
add('Tile', 'Tile', X, ints([1, 2, 3]), constants=[1], Tmultiples=I)
add('Gather', 'Gather', X, ints([1, 0, 1]), T=None, Tparams=F, Tindices=I)
add('GatherV2', 'GatherV2', X, ints([[2, 0], [1, 1]]), scalar(1), constants=[2], T=None, Tparams=F, Tindices=I, Taxis=I, batch_dims=0)
add('GatherV2_batches', 'GatherV2', X, ints([[2, 0], [1, 1]]), scalar(1), constants=[2], T=None, Tparams=F, Tindices=I, Taxis=I, batch_dims=1)
add('GatherNd', 'GatherNd', X, ints([[1, 2], [0, 1]]), T=None, Tparams=F, Tindices=I)
add('ScatterNd', 'ScatterNd', ints([[1], [3], [1]]), r(3, 2), ints([5, 2]), constants=[2], Tindices=I)
add('TensorScatterUpdate', 'TensorScatterUpdate', r(5, 2), ints([[1], [3]]), r(2, 2), Tindices=I)
add('Pad', 'Pad', X, ints([[0, 1], [1, 0], [2, 1]]), constants=[1], Tpaddings=I)
add('PadV2', 'PadV2', X, ints([[0, 1], [1, 0], [2, 1]]), scalar(3.), constants=[1, 2], Tpaddings=I)
for mode in ('REFLECT', 'SYMMETRIC'):
    add(f'MirrorPad_{mode}', 'MirrorPad', X, ints([[0, 1], [1, 0], [2, 1]]), constants=[1], Tpaddings=I, mode=mode)
add('SpaceToBatchND', 'SpaceToBatchND', r(1, 4, 6, 2), ints([2, 3]), ints([[0, 0], [1, 2]]), constants=[1, 2], Tblock_shape=I, Tpaddings=I)
add('BatchToSpaceND', 'BatchToSpaceND', r(6, 2, 3, 2), ints([2, 3]), ints([[0, 0], [1, 2]]), constants=[1, 2], Tblock_shape=I, Tcrops=I)
add('DepthToSpace', 'DepthToSpace', r(1, 3, 2, 8), block_size=2, data_format='NHWC')
add('ReverseV2', 'ReverseV2', X, ints([0, 2]), constants=[1], Tidx=I)
add('BroadcastTo', 'BroadcastTo', r(3, 1), ints([2, 3, 4]), constants=[1], Tidx=I)
add('BroadcastArgs', 'BroadcastArgs', ints([3, 1]), ints([2, 1, 4]), constants=[0, 1], T=I)
add('IdentityN', 'IdentityN', X, ints([3, 1]), T=List('type', [F, I]), outputs=2)
add('Shape', 'Shape', X, out_type=I)
add('ShapeN', 'ShapeN', X, r(5), N=2, out_type=I, outputs=2)
add('Size', 'Size', X, out_type=I)
add('Rank', 'Rank', X)
add('Fill', 'Fill', ints([2, 3]), scalar(1.5), constants=[0], index_type=I)
add('Range', 'Range', scalar(2), scalar(11), scalar(3), constants=[0, 1, 2], T=None, Tidx=I)
add('LinSpace', 'LinSpace', scalar(1.), scalar(2.), scalar(5), constants=[0, 1, 2], Tidx=I)
add('OneHot', 'OneHot', ints([1, 0, 3]), scalar(4), scalar(2.), scalar(-1.), constants=[1, 2, 3], TI=I, axis=-1)
add('Where', 'Where', X > 0, T=B)

for flags in ({}, {'align_corners': True}, {'half_pixel_centers': True}):
    options = {'align_corners': False, 'half_pixel_centers': False, **flags}
    label = next(iter(flags), 'plain')
    for op in ('ResizeBilinear', 'ResizeNearestNeighbor'):
        for size in ([5, 7], [18, 13]):
            add(f'{op}_{label}_{size[0]}', op, IMAGE, ints(size), constants=[1], **options)
BOXES = np.sort(RANDOM.uniform(0, 1, (12, 2, 2)), axis=1).reshape(12, 4).astype(np.float32)
SCORES = RANDOM.permutation(12).astype(np.float32) / 12
add('CropAndResize', 'CropAndResize', IMAGE, BOXES[:3], ints([1, 0, 1]), ints([4, 5]), constants=[3], method='bilinear',
    extrapolation_value=.0)
add('NonMaxSuppressionV3', 'NonMaxSuppressionV3', BOXES, SCORES, scalar(6), scalar(.3), scalar(.2), constants=[2, 3, 4], T_threshold=F)
add('NonMaxSuppressionV4', 'NonMaxSuppressionV4', BOXES, SCORES, scalar(6), scalar(.3), scalar(.2), constants=[2, 3, 4], T_threshold=F,
    pad_to_max_output_size=True, outputs=2)
add('NonMaxSuppressionV5', 'NonMaxSuppressionV5', BOXES, SCORES, scalar(6), scalar(.3), scalar(.2), scalar(.0), constants=[2, 3, 4, 5],
    pad_to_max_output_size=False, outputs=2)
add('TopKV2', 'TopKV2', r(3, 8), scalar(3), constants=[1], sorted=True, outputs=2)
add('Unique', 'Unique', ints([3, 1, 3, 2, 1]), T=I, out_idx=I, outputs=2)
add('UniqueV2', 'UniqueV2', ints([3, 1, 3, 2, 1]), ints([0]), constants=[1], T=I, Taxis=I, out_idx=I, outputs=2)
add('ListDiff', 'ListDiff', ints([3, 1, 3, 2, 1]), ints([1, 5]), T=I, out_idx=I, outputs=2)
add('UpperBound', 'UpperBound', np.sort(r(2, 6)), r(2, 3), out_type=I)
add('LowerBound', 'LowerBound', np.sort(r(2, 6)), r(2, 3), out_type=I)
add('SparseToDense', 'SparseToDense', ints([[0, 1], [2, 3]]), ints([3, 4]), r(2), scalar(.5), constants=[1, 3], Tindices=I, validate_indices=True)
add('Bincount', 'Bincount', ints([1, 3, 1, 0]), scalar(5), r(4), constants=[1])
add('DenseBincount', 'DenseBincount', ints([1, 3, 1, 0]), scalar(5), r(4), constants=[1], Tidx=I, binary_output=False)


def graph(name, nodes, inputs, constants, fetches, functions=()):
    CASES[name] = Case(nodes, inputs, constants, fetches, functions)


# Spectra: what comes out is real.
for name, size in (('even', 8), ('odd', 9)):
    graph(f'RFFT_{name}', [node('s', 'RFFT', ['x', 'n'], Treal=F, Tcomplex='DT_COMPLEX64'), node('re', 'Real', ['s'], T='DT_COMPLEX64', Tout=F),
                           node('im', 'Imag', ['s'], T='DT_COMPLEX64', Tout=F), node('abs', 'ComplexAbs', ['s'], T='DT_COMPLEX64', Tout=F)],
          {'x': r(2, size)}, {'n': ints([size])}, ['re', 'im', 'abs'])
COMPLEX = 'DT_COMPLEX64'
for op in ('FFT', 'IFFT'):
    graph(op, [node('c', 'Complex', ['x', 'z'], T=F, Tout=COMPLEX), node('s', op, ['c'], Tcomplex=COMPLEX),
               node('re', 'Real', ['s'], T=COMPLEX, Tout=F), node('im', 'Imag', ['s'], T=COMPLEX, Tout=F)],
          {'x': r(2, 6), 'z': r(2, 6)}, {}, ['re', 'im'])
graph('IRFFT', [node('c', 'Complex', ['x', 'z'], T=F, Tout=COMPLEX), node('y', 'IRFFT', ['c', 'n'], Treal=F, Tcomplex=COMPLEX)],
      {'x': r(2, 5), 'z': r(2, 5) * np.array([0, 1, 1, 1, 0], np.float32)}, {'n': ints([8])}, ['y'])
graph('PlaceholderWithDefault', [node('d', 'PlaceholderWithDefault', ['k'], dtype=F, shape=(3,)), node('y', 'Mul', ['x', 'd'], T=F)],
      {'x': r(3)}, {'k': r(3)}, ['y'])


def function(name, inputs, outputs, nodes, returns):
    def arguments(items):
        return [{'name': n, 'type': t} for n, t in items.items()]
    return {'signature': {'name': name, 'input_arg': arguments(inputs), 'output_arg': arguments(outputs)}, 'node_def': nodes, 'ret': returns}


def call(name):
    return {'func': {'name': name}}


THEN = function('then', {'a': F, 'b': F}, {'o': F}, [node('m', 'Mul', ['a', 'b'], T=F)], {'o': 'm:z:0'})
ELSE = function('otherwise', {'a': F, 'b': F}, {'o': F}, [node('m', 'Sub', ['a', 'b'], T=F)], {'o': 'm:z:0'})
for taken in (True, False):
    for op in ('If', 'StatelessIf'):
        graph(f'{op}_{taken}', [node('y', op, ['c', 'a', 'b'], Tcond=B, Tin=List('type', [F, F]), Tout=List('type', [F]), then_branch=call('then'),
                                     else_branch=call('otherwise'))], {'c': np.array(taken), 'a': r(3), 'b': r(3)}, {}, ['y'], [THEN, ELSE])
    graph(f'Switch_{taken}', [node('s', 'Switch', ['x', 'c'], T=F), node('t', 'Exp', ['s:1'], T=F), node('f', 'Neg', ['s'], T=F),
                              node('y', 'Merge', ['f', 't'], T=F, N=2)], {'x': r(3), 'c': np.array(taken)}, {}, ['y'])
COND = function('cond', {'i': I, 'n': I, 'a': F, 's': F}, {'o': B}, [node('l', 'Less', ['i', 'n'], T=I)], {'o': 'l:z:0'})
BODY = function('body', {'i': I, 'n': I, 'a': F, 's': F}, {'oi': I, 'on': I, 'oa': F, 'os': F},
                [node('one', 'OnesLike', ['i'], T=I), node('next', 'AddV2', ['i', 'one:y:0'], T=I), node('p', 'Mul', ['a', 's'], T=F)],
                {'oi': 'next:z:0', 'on': 'n', 'oa': 'p:z:0', 'os': 's'})
for op in ('While', 'StatelessWhile'):
    graph(op, [node('w', op, ['i', 'n', 'a', 's'], T=List('type', [I, I, F, F]), cond=call('cond'), body=call('body'))],
          {'n': scalar(4), 'a': r(3), 's': r(3)}, {'i': scalar(0)}, ['w', 'w:2'], [COND, BODY])
graph('frames', [node('ei', 'Enter', ['i'], T=I, frame_name='loop', is_constant=False, parallel_iterations=1),
                 node('ex', 'Enter', ['x'], T=F, frame_name='loop', is_constant=False, parallel_iterations=1),
                 node('en', 'Enter', ['n'], T=I, frame_name='loop', is_constant=True, parallel_iterations=1),
                 node('eo', 'Enter', ['one'], T=I, frame_name='loop', is_constant=True, parallel_iterations=1),
                 node('mi', 'Merge', ['ei', 'ni'], T=I, N=2), node('mx', 'Merge', ['ex', 'nx'], T=F, N=2),
                 node('less', 'Less', ['mi', 'en'], T=I), node('cond', 'LoopCond', ['less']),
                 node('si', 'Switch', ['mi', 'cond'], T=I), node('sx', 'Switch', ['mx', 'cond'], T=F),
                 node('inc', 'Add', ['si:1', 'eo'], T=I), node('tw', 'Add', ['sx:1', 'sx:1'], T=F),
                 node('ni', 'NextIteration', ['inc'], T=I), node('nx', 'NextIteration', ['tw'], T=F),
                 node('y', 'Exit', ['sx'], T=F)], {'x': r(3)}, {'i': scalar(0), 'n': scalar(3), 'one': scalar(1)}, ['y'])
graph('small_network', [node('c', 'Conv2D', ['x', 'w'], T=F, strides=[1, 2, 2, 1], padding='SAME', data_format='NHWC', dilations=[1, 1, 1, 1]),
                        node('b', 'BiasAdd', ['c', 'v'], T=F), node('h', 'Relu6', ['b'], T=F),
                        node('m', 'Mean', ['h', 'axes'], T=F, Tidx=I, keep_dims=False), node('d', 'MatMul', ['m', 'u'], T=F, transpose_a=False, transpose_b=False),
                        node('y', 'Softmax', ['d'], T=F)], {'x': IMAGE}, {'w': KERNEL, 'v': r(5), 'axes': ints([1, 2]), 'u': r(5, 4)}, ['y'])
