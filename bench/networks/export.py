#!/usr/bin/python3
"""Writes the networks that speed is measured with, as ONNX files with seeded random weights.

usage: export.py FOLDER [NAME ...]        NAME: one of those below, or an ONNX file to take as it is

Speed does not depend on the values of weights, so nothing is downloaded; batch normalization gets statistics that keep
activations in range. Input `input`, float32, 1x3x224x224 unless NETWORKS says otherwise; output `output`; opset 13.
Files that exist are kept. Of a file that is taken, initializers are removed from the graph's inputs: where they are
listed there, a runtime must expect that a caller replaces them, and cannot fold them.

Needs Debian's python3-torch, python3-torchvision, python3-onnx.
"""
import os
import sys
import warnings

import architectures


def from_torchvision(name):
    """`name` in torchvision.models or, with a dot, in a part of it."""
    def make():
        import torchvision
        place = torchvision.models
        *parts, function = name.split('.')
        for part in parts:
            place = getattr(place, part)
        arguments = {'weights_backbone': None} if parts == ['segmentation'] else {}
        arguments.update({'init_weights': False} if function in ('inception_v3', 'googlenet') else {})
        return getattr(place, function)(**arguments)
    return make


PICTURE = (1, 3, 224, 224)
NETWORKS = {  # what makes it, and the shape of its input
    'mobilenet_v1': (architectures.mobilenet_v1, PICTURE),
    'vit_tiny': (architectures.vit_tiny, PICTURE),
    'decoder': (architectures.decoder, PICTURE),
    'unet': (architectures.unet, (1, 3, 256, 256)),
    'sr_x2': (architectures.super_resolution, (1, 3, 128, 128)),
    'conv_tasnet': (architectures.conv_tasnet, (1, 1, 16000)),
    'lstm': (lambda: architectures.recurrent('LSTM'), (1, 64, 128)),
    'gru': (lambda: architectures.recurrent('GRU'), (1, 64, 128)),
    'text_encoder': (architectures.text_encoder, (1, 128, 384)),
    'inception_v3': (from_torchvision('inception_v3'), (1, 3, 299, 299)),
    'deeplabv3_mobilenet_v3': (from_torchvision('segmentation.deeplabv3_mobilenet_v3_large'), (1, 3, 520, 520)),
    'lraspp_mobilenet_v3': (from_torchvision('segmentation.lraspp_mobilenet_v3_large'), (1, 3, 320, 320)),
    'r3d_18': (from_torchvision('video.r3d_18'), (1, 3, 16, 112, 112)),
}
for _name in ('mobilenet_v2', 'mobilenet_v3_small', 'mobilenet_v3_large', 'squeezenet1_1', 'shufflenet_v2_x1_0',
              'efficientnet_b0', 'resnet18', 'resnet50', 'resnext50_32x4d', 'densenet121', 'googlenet', 'mnasnet1_0',
              'regnet_y_400mf', 'convnext_tiny', 'swin_t'):
    NETWORKS[_name] = (from_torchvision(_name), PICTURE)


def keep_activations_in_range(network):
    from torch import nn
    for module in network.modules():
        if isinstance(module, (nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d)):
            nn.init.uniform_(module.running_mean, -0.1, 0.1)
            nn.init.uniform_(module.running_var, 0.6, 1.4)
            nn.init.uniform_(module.weight, 0.8, 1.2)
            nn.init.uniform_(module.bias, -0.1, 0.1)


def export(name, path):
    import torch
    warnings.filterwarnings('ignore')
    torch.manual_seed(0)
    make, shape = NETWORKS[name]
    network = make().eval()
    keep_activations_in_range(network)
    torch.onnx.export(network, torch.zeros(shape), path, opset_version=13, input_names=['input'],
                      output_names=['output'])


def take(source, path):
    import onnx
    model = onnx.load(source)
    constants = {tensor.name for tensor in model.graph.initializer}
    inputs = [value for value in model.graph.input if value.name not in constants]
    del model.graph.input[:]
    model.graph.input.extend(inputs)
    onnx.save(model, path)


def main(folder, names):
    os.makedirs(folder, exist_ok=True)
    for name in names or NETWORKS:
        stem = os.path.splitext(os.path.basename(name))[0]
        path = os.path.join(folder, stem + '.onnx')
        if os.path.exists(path):
            continue
        print(stem, file=sys.stderr)
        if name in NETWORKS:
            export(name, path + '.part')
        else:
            take(name, path + '.part')
        os.rename(path + '.part', path)


if __name__ == '__main__':
    if len(sys.argv) < 2 or sys.argv[1] in ('-h', '--help'):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
