#!/usr/bin/env python3
"""Exports small networks of the common kinds, with seeded random weights, for compare_with_onnxruntime.py.

usage: export_networks.py OUTDIR [name ...]      needs PyTorch and torchvision
"""
import os
import sys
import warnings

import torch
import torchvision
from networks import (Decoder, Detector, Encoder, GroupNormNet, Heads, Mixer, Output, Recurrent, SuperResolution,
                      TextReader, UNet, Vocoder)
from torch import nn

warnings.filterwarnings('ignore')
MODELS = torchvision.models
CLASSIFIERS = ['alexnet', 'convnext_tiny', 'densenet121', 'efficientnet_v2_s', 'mnasnet0_5', 'mobilenet_v3_large',
               'regnet_x_400mf', 'regnet_y_400mf', 'resnext50_32x4d', 'shufflenet_v2_x0_5', 'squeezenet1_0', 'vgg11']
SEQUENCE = {0: 'batch', 1: 'sequence'}


def image(size=64, channels=3):
    return torch.randn(1, channels, size, size)


def tokens(*shape):
    return torch.randint(0, 50, shape)


def detection(name):
    return Heads(getattr(MODELS.detection, name)(weights=None, weights_backbone=None))


def segmentation(name):
    return Output(getattr(MODELS.segmentation, name)(weights=None, weights_backbone=None))


def small_vit():
    return MODELS.VisionTransformer(image_size=64, patch_size=16, num_layers=2, num_heads=4, hidden_dim=64, mlp_dim=128)


# name: (network, inputs, dynamic dimensions of each input)
NETWORKS = {
    'inception_v3': (lambda: MODELS.inception_v3(weights=None, init_weights=False), [image(96)], None),
    'googlenet': (lambda: MODELS.googlenet(weights=None, init_weights=False), [image()], None),
    'swin_t': (lambda: MODELS.swin_t(weights=None), [image()], None),
    'vit': (small_vit, [image()], None),
    'mixer': (Mixer, [image(32)], None),
    'deeplabv3': (lambda: segmentation('deeplabv3_mobilenet_v3_large'), [image(96)], None),
    'lraspp': (lambda: segmentation('lraspp_mobilenet_v3_large'), [image(96)], None),
    'fcn': (lambda: segmentation('fcn_resnet50'), [image()], None),
    'unet': (UNet, [image(32)], None),
    'unet_dynamic': (UNet, [image(32)], [{0: 'batch', 2: 'height', 3: 'width'}]),
    'fcos': (lambda: detection('fcos_resnet50_fpn'), [image()], None),
    'retinanet': (lambda: detection('retinanet_resnet50_fpn'), [image()], None),
    'ssdlite': (lambda: detection('ssdlite320_mobilenet_v3_large'), [image(320)], None),
    'detector': (Detector, [image()], None),
    'detector_batch': (Detector, [image()], [{0: 'batch'}]),
    'super_resolution': (SuperResolution, [image(24)], None),
    'super_resolution_dynamic': (SuperResolution, [image(24)], [{0: 'batch', 2: 'height', 3: 'width'}]),
    'group_norm': (GroupNormNet, [image(16)], None),
    'encoder': (Encoder, [tokens(2, 12), torch.ones(2, 12, dtype=torch.int64)], None),
    'encoder_dynamic': (Encoder, [tokens(2, 12), torch.ones(2, 12, dtype=torch.int64)], [SEQUENCE, SEQUENCE]),
    'decoder': (Decoder, [tokens(1, 10)], None),
    'decoder_dynamic': (Decoder, [tokens(1, 10)], [SEQUENCE]),
    'torch_transformer': (lambda: nn.Transformer(32, 4, 1, 1, 64, batch_first=True),
                          [torch.randn(1, 10, 32), torch.randn(1, 7, 32)], None),
    'lstm': (lambda: Recurrent(nn.LSTM), [torch.randn(2, 9, 16)], None),
    'lstm_dynamic': (lambda: Recurrent(nn.LSTM), [torch.randn(2, 9, 16)], [SEQUENCE]),
    'gru': (lambda: Recurrent(nn.GRU), [torch.randn(2, 9, 16)], None),
    'text_reader': (TextReader, [torch.randn(1, 1, 32, 48)], None),
    'vocoder': (Vocoder, [torch.randn(1, 1, 256)], None),
    'r3d_18': (lambda: MODELS.video.r3d_18(weights=None), [torch.randn(1, 3, 4, 32, 32)], None),
}
for classifier in CLASSIFIERS:
    size = 224 if classifier in ('alexnet', 'vgg11') else 64
    NETWORKS[classifier] = (lambda name=classifier: getattr(MODELS, name)(weights=None), [image(size)], None)


def prepare(network):
    """Statistics and weights that make every part of a network matter."""
    for module in network.modules():
        if isinstance(module, (nn.BatchNorm2d, nn.BatchNorm3d)):
            module.running_mean.uniform_(-.1, .1)
            module.running_var.uniform_(.6, 1.4)
        if isinstance(module, nn.Linear) and not module.weight.any():
            nn.init.normal_(module.weight, std=.1)
    return network.eval()


def export(name, folder):
    torch.manual_seed(0)
    make, inputs, dynamic = NETWORKS[name]
    names = [f'input{i}' for i in range(len(inputs))]
    axes = dict(zip(names, dynamic)) if dynamic else None
    torch.onnx.export(prepare(make()), tuple(inputs), os.path.join(folder, name + '.onnx'), opset_version=14,
                      input_names=names, dynamic_axes=axes)
    print(name, flush=True)


if __name__ == '__main__':
    if len(sys.argv) < 2 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    os.makedirs(sys.argv[1], exist_ok=True)
    for wanted in sys.argv[2:] or NETWORKS:
        export(wanted, sys.argv[1])
