"""Networks that torchvision does not have. Each function returns a module of PyTorch."""


def mobilenet_v1():
    """A first convolution, then pairs of depthwise and pointwise ones."""
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


def unet():
    """Four levels of two 3x3 convolutions, 32 to 256 channels, joined to what the way down gave."""
    import torch
    from torch import nn

    def pair(inputs, outputs):
        return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.ReLU(),
                             nn.Conv2d(outputs, outputs, 3, padding=1), nn.ReLU())

    class UNet(nn.Module):
        def __init__(self, channels=(32, 64, 128, 256)):
            super().__init__()
            self.down = nn.ModuleList(pair(i, o) for i, o in zip((3, *channels), channels))
            self.grow = nn.ModuleList(nn.ConvTranspose2d(2 * o, o, 2, 2) for o in channels[:-1])
            self.up = nn.ModuleList(pair(2 * o, o) for o in channels[:-1])
            self.pool = nn.MaxPool2d(2)
            self.head = nn.Conv2d(channels[0], 2, 1)

        def forward(self, x):
            kept = [self.down[0](x)]
            for down in self.down[1:]:
                kept.append(down(self.pool(kept[-1])))
            x = kept.pop()
            for grow, up in zip(reversed(self.grow), reversed(self.up)):
                x = up(torch.cat([kept.pop(), grow(x)], 1))
            return self.head(x)

    return UNet()


def super_resolution():
    """Twice as large: residual blocks with PReLU, then pixels from channels."""
    from torch import nn

    class Block(nn.Module):
        def __init__(self, channels):
            super().__init__()
            self.layers = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1), nn.PReLU(channels),
                                        nn.Conv2d(channels, channels, 3, padding=1))

        def forward(self, x):
            return x + self.layers(x)

    return nn.Sequential(nn.Conv2d(3, 32, 3, padding=1), nn.PReLU(32), *[Block(32) for _ in range(4)],
                         nn.Conv2d(32, 12, 3, padding=1), nn.PixelShuffle(2))


def conv_tasnet():
    """Separation of two speakers: a learned filter bank, and masks by dilated depthwise convolutions over time."""
    from torch import nn

    class Block(nn.Module):
        def __init__(self, channels, inner, dilation):
            super().__init__()
            self.layers = nn.Sequential(
                nn.Conv1d(channels, inner, 1), nn.PReLU(), nn.BatchNorm1d(inner),
                nn.Conv1d(inner, inner, 3, padding=dilation, dilation=dilation, groups=inner), nn.PReLU(),
                nn.BatchNorm1d(inner), nn.Conv1d(inner, channels, 1))

        def forward(self, x):
            return x + self.layers(x)

    class ConvTasNet(nn.Module):
        def __init__(self, filters=256, channels=128, inner=256):
            super().__init__()
            self.encode = nn.Conv1d(1, filters, 16, 8, bias=False)
            blocks = [Block(channels, inner, 2 ** i) for _ in range(2) for i in range(8)]
            self.separate = nn.Sequential(nn.BatchNorm1d(filters), nn.Conv1d(filters, channels, 1), *blocks, nn.PReLU(),
                                          nn.Conv1d(channels, 2 * filters, 1), nn.Sigmoid())
            self.decode = nn.ConvTranspose1d(filters, 1, 16, 8, bias=False)

        def forward(self, x):
            codes = self.encode(x)
            first, second = self.separate(codes).chunk(2, 1)
            return self.decode(codes * first), self.decode(codes * second)

    return ConvTasNet()


def recurrent(kind):
    """Two layers in both directions, 128 features and as many cells each."""
    from torch import nn
    return getattr(nn, kind)(128, 128, num_layers=2, bidirectional=True, batch_first=True)


def text_encoder():
    """A sentence encoder of MiniLM's proportions behind its embeddings: six layers of 384 features, twelve heads."""
    from torch import nn
    from torchvision.models.vision_transformer import EncoderBlock
    return nn.Sequential(*[EncoderBlock(12, 384, 1536, 0.0, 0.0) for _ in range(6)], nn.LayerNorm(384))
