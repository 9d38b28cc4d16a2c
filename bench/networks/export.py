#!/usr/bin/python3
"""Writes the networks that speed is measured with, as ONNX files with seeded random weights.

usage: export.py FOLDER [NAME ...]        NAME: one of those below, or an ONNX file to take as it is

Speed does not depend on the values of weights, so nothing is downloaded; batch normalization gets statistics that keep
activations in range. Input `input`, 1x3x224x224 float32; output `output`; opset 13. Files that exist are kept. Of a
file that is taken, initializers are removed from the graph's inputs: where they are listed there, a runtime must
expect that a caller replaces them, and cannot fold them.

Needs Debian's python3-torch, python3-torchvision, python3-onnx.
"""
import os
import sys
import warnings


def mobilenet_v1():
    """Not in torchvision: a first convolution, then pairs of depthwise and pointwise ones."""
    from torch import nn

    def convolution(inputs, outputs, size, stride, groups=1):
        return [nn.Conv2d(inputs, outputs, size, stride, size // 2, groups=groups, bias=False),
                nn.BatchNorm2d(outputs), nn.ReLU()]

    layers = convolution(3, 32, 3, 2)
    inputs = 32
    for outputs, stride in [(64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), *[(512, 1)] * 5, (1024, 2),
                            (1024, 1)]:
        layers += convolution(inputs, inputs, 3, stride, groups=inputs) + convolution(inputs, outputs, 1, 1)
        inputs = outputs
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(inputs, 1000))


def decoder():
    """Three decoders side by side, of transposed convolutions with kernels of 2, 3 and 4 and stride 2."""
    from torch import nn

    class Decoder(nn.Module):
        def __init__(self):
            super().__init__()
            self.encode = nn.Conv2d(3, 512, 16, 16)
            self.decode = nn.ModuleList(
                nn.Sequential(nn.ConvTranspose2d(512, 256, size, 2, (size - 1) // 2), nn.ReLU(),
                              nn.ConvTranspose2d(256, 128, size, 2, (size - 1) // 2), nn.ReLU(),
                              nn.AdaptiveAvgPool2d(1)) for size in (2, 3, 4))

        def forward(self, x):
            codes = self.encode(x)
            return sum(decode(codes) for decode in self.decode)

    return Decoder()


def vit_tiny():
    from torchvision.models import VisionTransformer
    return VisionTransformer(image_size=224, patch_size=16, num_layers=12, num_heads=3, hidden_dim=192, mlp_dim=768)


def from_torchvision(name):
    def make():
        import torchvision
        return getattr(torchvision.models, name)()
    return make


NETWORKS = {'mobilenet_v1': mobilenet_v1, 'vit_tiny': vit_tiny, 'decoder': decoder}
for _name in ('mobilenet_v2', 'mobilenet_v3_small', 'squeezenet1_1', 'shufflenet_v2_x1_0', 'efficientnet_b0',
              'resnet18', 'resnet50'):
    NETWORKS[_name] = from_torchvision(_name)


def keep_activations_in_range(network):
    from torch import nn
    for module in network.modules():
        if isinstance(module, nn.BatchNorm2d):
            nn.init.uniform_(module.running_mean, -0.1, 0.1)
            nn.init.uniform_(module.running_var, 0.6, 1.4)
            nn.init.uniform_(module.weight, 0.8, 1.2)
            nn.init.uniform_(module.bias, -0.1, 0.1)


def export(name, path):
    import torch
    warnings.filterwarnings('ignore')
    torch.manual_seed(0)
    network = NETWORKS[name]().eval()
    keep_activations_in_range(network)
    torch.onnx.export(network, torch.zeros(1, 3, 224, 224), path, opset_version=13, input_names=['input'],
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
