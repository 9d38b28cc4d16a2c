#!/usr/bin/env python3
"""Traces or scripts networks with PyTorch, converts the TorchScript, and compares outputs with PyTorch's own.

usage: compare_with_torch.py --programs BIN [NETWORK ...]

Prints a line a network: the largest difference, relative to the output's largest value. Exit code 1 if one is over 1e-4
or a network does not convert or run; 77 (skipped) where PyTorch or torchvision are missing.
"""
import argparse
import json
import os
import sys
import tempfile
import warnings

from compare_with_onnxruntime import TOLERANCE, Failure, largest_difference, require, run

try:
    import numpy as np
    import torch
    from export_networks import MODELS, NETWORKS, image, prepare
    from everyday_networks import EVERYDAY
    from scripted_networks import InPlace, Layers, Steps, Translator
    from torch import nn
    from torch_arguments import ARGUMENTS
    from torch_compositions import COMPOSITIONS
    from torch_operators import OPERATORS
    from torch.utils.mobile_optimizer import optimize_for_mobile
except ImportError as error:
    require(False, error.name)

warnings.filterwarnings('ignore')


def segmentation(name):
    return getattr(MODELS.segmentation, name)(weights=None, weights_backbone=None)


def encoder_layers():
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 32, batch_first=True), 2, enable_nested_tensor=False)


# Of families that export_networks.py has no member of: their input's size. ONNX would be no other graph.
CLASSIFIERS = {'efficientnet_b0': 96, 'maxvit_t': 224, 'mobilenet_v2': 96, 'resnet50': 96, 'swin_v2_t': 64, 'vgg16_bn': 96, 'wide_resnet50_2': 96}

OPERATIONS = {**OPERATORS, **COMPOSITIONS, **ARGUMENTS}

# name: (network, inputs); those of NETWORKS are traced.
SCRIPTED = {
    'scripted_resnet18': (lambda: MODELS.resnet18(weights=None), [image(96)]),
    'scripted_mobilenet_v3': (lambda: MODELS.mobilenet_v3_small(weights=None), [image(96)]),
    'scripted_densenet121': (lambda: MODELS.densenet121(weights=None), [image()]),
    'scripted_googlenet': (lambda: MODELS.googlenet(weights=None, init_weights=False), [image(96)]),
    'scripted_swin_t': (lambda: MODELS.swin_t(weights=None), [image()]),
    'scripted_deeplabv3': (lambda: segmentation('deeplabv3_mobilenet_v3_large'), [image(96)]),
    'scripted_lraspp': (lambda: segmentation('lraspp_mobilenet_v3_large'), [image(96)]),
    'scripted_for_mobile': (lambda: MODELS.mobilenet_v2(weights=None), [image()]),
    'scripted_transposed_for_mobile': (lambda: nn.Sequential(nn.ConvTranspose2d(3, 4, 4, 2, 1, groups=1), nn.ReLU6()), [image(8)]),
    'scripted_encoder': (encoder_layers, [torch.randn(2, 6, 16)]),
    'scripted_layers': (Layers, [torch.randn(2, 6)]),
    'scripted_steps': (Steps, [torch.randn(4, 2, 4), (torch.randn(2, 5), torch.randn(2, 5))]),
    'scripted_translator': (Translator, [torch.randint(0, 20, (5, 2))]),
    'scripted_in_place': (InPlace, [torch.randn(2, 4, 3)]),
}


def flat(value):
    if isinstance(value, torch.Tensor):
        return [value.detach().numpy()]
    if isinstance(value, (int, float)):
        return [np.asarray(value)]
    items = value.values() if isinstance(value, dict) else value or ()
    return [array for item in items for array in flat(item)]


class Applied(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def make_module(name):
    torch.manual_seed(0)
    if name.startswith('op_'):
        function, inputs = OPERATIONS[name[3:]]
        return torch.jit.trace(Applied(function), tuple(inputs), check_trace=False), inputs
    if name in EVERYDAY:
        make, inputs, is_scripted = EVERYDAY[name]
        module = prepare(make())
        if is_scripted:
            return torch.jit.script(module), inputs
        return torch.jit.trace(module, tuple(inputs), check_trace=False), inputs
    if name in SCRIPTED:
        make, inputs = SCRIPTED[name]
        module = torch.jit.script(prepare(make()))
        change = {'scripted_resnet18': torch.jit.freeze, 'scripted_for_mobile': optimize_for_mobile,
                  'scripted_transposed_for_mobile': optimize_for_mobile}.get(name)
        return change(module) if change else module, inputs
    if name in CLASSIFIERS:
        make, inputs = (lambda: getattr(MODELS, name)(weights=None)), [image(CLASSIFIERS[name])]
    else:
        make, inputs, _ = NETWORKS[name]
    return torch.jit.trace(prepare(make()), tuple(inputs), check_trace=False), inputs


@torch.no_grad()
def compare(name, programs, folder):
    module, inputs = make_module(name)
    source, converted, ours = (os.path.join(folder, f) for f in ('model.pt', 'model.fb', 'ours'))
    module.save(source)
    expected = flat(module(*[x.clone() if isinstance(x, torch.Tensor) else x for x in inputs]))
    shapes, given = [], []
    for i, array in enumerate(flat(inputs)):
        file = os.path.join(folder, f'{i}.npy')
        np.save(file, array)
        shapes += ['--input-shape', f'#{i}=' + ('x'.join(map(str, array.shape)) or 'scalar')]
        given += ['--input', f'#{i}={file}']
        if array.dtype != np.float32:
            shapes += ['--input-type', f'#{i}={array.dtype}']
    run([os.path.join(programs, 'mnnconvert'), source, '-o', converted, '--quiet'] + shapes, 'mnnconvert')
    text = run([os.path.join(programs, 'micrort-run'), converted, '--output-dir', ours, '--json', '-'] + given, 'micrort-run')
    outputs = json.loads(text)['outputs']
    if len(outputs) != len(expected):
        raise Failure(f'expected {len(expected)} outputs, found {len(outputs)}')
    return max(largest_difference(array, np.load(os.path.join(ours, output['file'])))
               for array, output in zip(expected, outputs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('networks', nargs='*')
    parser.add_argument('--programs', required=True, help='folder of mnnconvert and micrort-run')
    arguments = parser.parse_args()
    traced = [name for name in NETWORKS if not name.endswith(('_dynamic', '_batch'))]
    failed = 0
    for name in arguments.networks or traced + list(CLASSIFIERS) + list(SCRIPTED) + list(EVERYDAY) + [f'op_{name}' for name in OPERATIONS]:
        with tempfile.TemporaryDirectory() as folder:
            try:
                difference = compare(name, arguments.programs, folder)
                passed, text = difference <= TOLERANCE, f'{difference:.1e}'
            except Failure as failure:
                passed, text = False, str(failure)
        failed += not passed
        print(f"{'ok' if passed else 'FAILED':6} {name:24} {text}", flush=True)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
