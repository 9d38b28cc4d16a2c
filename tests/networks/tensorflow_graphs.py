"""TensorFlow's graphs as dictionaries, and how they are written: text of protobuf for us, JSON for TensorFlow.js.

Keys are the fields of TensorFlow's messages; bytes are strings of these, str are names of enumerators or of nodes.
"""
import base64
import json

import numpy as np

TYPES = {'float32': 'DT_FLOAT', 'int32': 'DT_INT32', 'bool': 'DT_BOOL', 'int64': 'DT_INT64', 'float64': 'DT_DOUBLE'}
# Fields that are maps, and fields of text (others of type str are enumerators).
MAPS = {'attr', 'ret', 'inputs', 'outputs', 'signature_def'}
TEXTS = {'name', 'op', 'input', 'key', 'tags', 'method_name', 'type_attr', 'number_attr', 'description'}


class List:
    """An attribute's list of values: of strings, integers, floats, booleans, types or shapes."""

    def __init__(self, kind, values):
        self.kind, self.values = kind, list(values)


def shape_of(dims):
    return {'dim': [{'size': int(size)} for size in dims]}


def type_of(array):
    return TYPES[str(array.dtype)]


def tensor_of(array):
    return {'dtype': type_of(array), 'tensor_shape': shape_of(array.shape), 'tensor_content': array.tobytes()}


def attribute(value):
    if isinstance(value, dict):
        return value
    if isinstance(value, List):
        return {'list': {value.kind: value.values}}
    if isinstance(value, bool):
        return {'b': value}
    if isinstance(value, int):
        return {'i': value}
    if isinstance(value, float):
        return {'f': value}
    if isinstance(value, str):
        return {'type': value} if value.startswith('DT_') else {'s': value.encode()}
    if isinstance(value, np.ndarray):
        return {'tensor': tensor_of(value)}
    if isinstance(value, tuple):
        return {'shape': shape_of(value)}
    return {'list': {'i': [int(v) for v in value]}}


def node(name, op, inputs=(), **attributes):
    return {'name': name, 'op': op, 'input': list(inputs), 'attr': {k: attribute(v) for k, v in attributes.items()}}


def placeholder(name, array):
    return node(name, 'Placeholder', dtype=type_of(array), shape=array.shape)


def constant(name, array):
    return node(name, 'Const', dtype=type_of(array), value=array)


def quoted(data):
    return '"' + ''.join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f'\\{b:03o}' for b in data) + '"'


def scalar_text(key, value):
    if isinstance(value, bytes):
        return quoted(value)
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, str):
        return quoted(value.encode()) if key in TEXTS else value
    return repr(value)


def as_text(message, in_map=False):
    """Protobuf's text."""
    lines = []
    for key, value in message.items():
        if key in MAPS and isinstance(value, dict):
            for name, item in value.items():
                inner = f'value {{ {as_text(item)} }}' if isinstance(item, dict) else f'value: {scalar_text("key", item)}'
                lines.append(f'{key} {{ key: {quoted(name.encode())} {inner} }}')
            continue
        for item in value if isinstance(value, list) else [value]:
            lines.append(f'{key} {{ {as_text(item)} }}' if isinstance(item, dict) else f'{key}: {scalar_text(key, item)}')
    return ' '.join(lines)


def camel(key):
    first, *others = key.split('_')
    return first + ''.join(part.capitalize() for part in others)


def as_json(value):
    """What protobuf's JSON has: other names of fields, 64-bit integers as strings, bytes in base64."""
    if isinstance(value, dict):
        return {camel(k): ({n: as_json(v) for n, v in item.items()} if k in MAPS and isinstance(item, dict) else as_json(item))
                for k, item in value.items()}
    if isinstance(value, list):
        return [as_json(item) for item in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value


def plain(array):
    names = {'nan': 'NaN', 'inf': 'Infinity', '-inf': '-Infinity'}
    return [float(v) if np.isfinite(v) else names[str(float(v))] for v in np.asarray(array, np.float64).ravel()]


def described(name, array):
    return {'name': name, 'shape': list(array.shape), 'dtype': str(array.dtype), 'values': plain(array)}


class Case:
    """A graph of nodes whose placeholders are the inputs. Constants are weights in TensorFlow.js's files."""

    def __init__(self, nodes, inputs, constants, fetches, functions=()):
        self.inputs, self.constants, self.fetches = inputs, constants, fetches
        self.graph = {'node': [placeholder(n, a) for n, a in inputs.items()] + [constant(n, a) for n, a in constants.items()] + nodes,
                      'versions': {'producer': 1395}}
        if functions:
            self.graph['library'] = {'function': list(functions)}

    def for_tfjs(self):
        graph = as_json(self.graph)
        for item in graph['node']:
            item['attr'].pop('value', None)
        for function in graph.get('library', {}).get('function', []):
            for item in function['nodeDef']:
                if 'value' in item['attr'] and item['op'] == 'Const':
                    raise ValueError('constants stand outside of functions')
        return {'graph': graph, 'weights': [described(n, a) for n, a in self.constants.items()],
                'inputs': [described(n, a) for n, a in self.inputs.items()], 'fetches': self.fetches}

    def graph_def(self):
        return as_text(self.graph)

    def saved_model(self):
        """Text of a SavedModel with the signature serving_default."""
        def info(name, array):
            return {'name': name + ':0', 'dtype': type_of(array), 'tensor_shape': shape_of(array.shape)}
        outputs = {f'output_{i}': {'name': fetch if ':' in fetch else fetch + ':0'} for i, fetch in enumerate(self.fetches)}
        signature = {'inputs': {n: info(n, a) for n, a in self.inputs.items()}, 'outputs': outputs,
                     'method_name': 'tensorflow/serving/predict'}
        return as_text({'saved_model_schema_version': 1, 'meta_graphs': {
            'meta_info_def': {'tags': 'serve'}, 'graph_def': self.graph, 'signature_def': {'serving_default': signature}}})


def write_json(cases, path):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump([case.for_tfjs() for case in cases], file)
