"""TensorFlow's lists and arrays of tensors, which TensorFlow.js runs, too: {name: Case}."""
import numpy as np

from tensorflow_graphs import Case, node

RANDOM = np.random.default_rng(8)
F, I = 'DT_FLOAT', 'DT_INT32'
CASES = {}


def r(*shape):
    return RANDOM.uniform(-2, 2, shape).astype(np.float32)


def ints(values):
    return np.array(values, np.int32)


def graph(name, nodes, inputs, constants, fetches):
    CASES[name] = Case(nodes, inputs, constants, fetches)


def of_list(name, op, *inputs, **attributes):
    return node(name, op, inputs, element_dtype=F, **attributes)


def stack(name, items, count):
    return of_list(name, 'TensorListStack', items, 'shape', num_elements=count)


SHAPE = {'shape': ints([2]), 'i0': ints(0), 'i1': ints(1), 'i2': ints(2), 'count': ints(3)}
graph('TensorListReserve',
      [of_list('l', 'TensorListReserve', 'shape', 'count', shape_type=I), of_list('s', 'TensorListSetItem', 'l', 'i1', 'a'),
       of_list('t', 'TensorListSetItem', 's', 'i0', 'b'), of_list('u', 'TensorListSetItem', 't', 'i2', 'a'), stack('y', 'u', 3),
       of_list('z', 'TensorListGetItem', 'u', 'i0', 'shape'), node('n', 'TensorListLength', ['u'])],
      {'a': r(2), 'b': r(2)}, SHAPE, ['y', 'z', 'n'])
graph('TensorListFromTensor',
      [of_list('l', 'TensorListFromTensor', 'x', 'shape', shape_type=I), of_list('z', 'TensorListGetItem', 'l', 'i2', 'shape'),
       of_list('g', 'TensorListGather', 'l', 'places', 'shape'), stack('y', 'l', 3)],
      {'x': r(3, 2)}, {**SHAPE, 'places': ints([2, 0, 2])}, ['z', 'g', 'y'])
graph('EmptyTensorList',
      [of_list('l', 'EmptyTensorList', 'shape', 'most', shape_type=I), of_list('p', 'TensorListPushBack', 'l', 'a'),
       of_list('q', 'TensorListPushBack', 'p', 'b'), of_list('r', 'TensorListPushBack', 'q', 'a'), stack('y', 'r', 3),
       node('n', 'TensorListLength', ['q'])], {'a': r(2), 'b': r(2)}, {**SHAPE, 'most': ints(-1)}, ['y', 'n'])
graph('TensorListScatterV2',
      [of_list('l', 'TensorListScatterV2', 'x', 'places', 'shape', 'count', shape_type=I), stack('y', 'l', 3)],
      {'x': r(3, 2)}, {**SHAPE, 'places': ints([2, 0, 1])}, ['y'])


def array(name, size):
    return node(name, 'TensorArrayV3', [size], dtype=F, element_shape=(2,), dynamic_size=False, clear_after_read=False,
                identical_element_shapes=True, tensor_array_name='array')


def of_array(name, op, *inputs, **attributes):
    return node(name, op, inputs, **attributes)


def gather(name, places, flow):
    return of_array(name, 'TensorArrayGatherV3', 'h', places, flow, dtype=F, element_shape=(2,))


graph('TensorArrayWriteV3',
      [array('h', 'count'), of_array('w', 'TensorArrayWriteV3', 'h', 'i1', 'a', 'h:1', T=F),
       of_array('v', 'TensorArrayWriteV3', 'h', 'i0', 'b', 'w', T=F), of_array('u', 'TensorArrayWriteV3', 'h', 'i2', 'a', 'v', T=F),
       of_array('z', 'TensorArrayReadV3', 'h', 'i0', 'u', dtype=F), gather('y', 'places', 'u'), of_array('n', 'TensorArraySizeV3', 'h', 'u')],
      {'a': r(2), 'b': r(2)}, {**SHAPE, 'places': ints([0, 1, 2])}, ['z', 'y', 'n'])
graph('TensorArrayScatterV3',
      [array('h', 'count'), of_array('s', 'TensorArrayScatterV3', 'h', 'places', 'x', 'h:1', T=F), gather('y', 'order', 's')],
      {'x': r(3, 2)}, {**SHAPE, 'places': ints([2, 0, 1]), 'order': ints([0, 1, 2])}, ['y'])
graph('TensorArraySplitV3',
      [node('h', 'TensorArrayV3', ['count'], dtype=F, element_shape=(2, 2), dynamic_size=False, clear_after_read=False,
            identical_element_shapes=False, tensor_array_name='array'),
       of_array('s', 'TensorArraySplitV3', 'h', 'x', 'lengths', 'h:1', T=F),
       of_array('y', 'TensorArrayConcatV3', 'h', 's', dtype=F, element_shape_except0=(2,)), of_array('z', 'TensorArrayReadV3', 'h', 'i1', 's', dtype=F)],
      {'x': r(6, 2)}, {**SHAPE, 'lengths': ints([2, 2, 2])}, ['y:0', 'z'])
