"""The network: about 25 000 parameters, 2 million multiplications a digit."""
import torch
from torch import nn


def conv_bn(inputs, outputs, kernel=3, stride=1, groups=1):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs))


def conv_bn_relu(*args, **kwargs):
    return nn.Sequential(conv_bn(*args, **kwargs), nn.ReLU())


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(conv_bn_relu(channels, channels), conv_bn(channels, channels))

    def forward(self, x):
        return torch.relu(x + self.body(x))


class MeterDigits(nn.Module):
    """N x 1 x 32 x 24 normalized grey crops to N x 10 logits."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            conv_bn_relu(1, 16), nn.MaxPool2d(2),          # 16 x 16 x 12
            Residual(16),
            conv_bn_relu(16, 32, stride=2),                # 32 x 8 x 6
            conv_bn_relu(32, 32, groups=32),               # depthwise ...
            conv_bn_relu(32, 48, kernel=1),                # ... separable
            conv_bn_relu(48, 32),
            nn.AdaptiveAvgPool2d(1), nn.Flatten())
        self.classify = nn.Linear(32, 10)

    def forward(self, x):
        return self.classify(self.features(x))
