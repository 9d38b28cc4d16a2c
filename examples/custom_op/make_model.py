#!/usr/bin/env python3
"""Writes zero_out.onnx (needs Debian's python3-onnx): y = ZeroOut(x) of com.acme, of which element 1 stays."""

import onnx
from onnx import TensorProto, helper

node = helper.make_node('ZeroOut', ['x'], ['y'], name='zero_out', domain='com.acme', preserve_index=1)
x = helper.make_tensor_value_info('x', TensorProto.INT32, [4])
y = helper.make_tensor_value_info('y', TensorProto.INT32, [4])
graph = helper.make_graph([node], 'zero_out', [x], [y])
opsets = [helper.make_opsetid('', 13), helper.make_opsetid('com.acme', 1)]
onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=7), 'zero_out.onnx')
