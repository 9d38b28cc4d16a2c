"""Small networks that hold what exporters make of the common kinds."""
import torch
import torch.nn.functional as F
from torch import nn


def conv(inputs, outputs, kernel=3, stride=1, activation=nn.SiLU):
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outputs),
                         activation())


class Output(nn.Module):
    """The main output of a torchvision segmentation network."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        return self.network(x)['out']


class Heads(nn.Module):
    """A torchvision detector up to the outputs of its heads."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x):
        return tuple(self.network.head(list(self.network.backbone(x).values())).values())


class SuperResolution(nn.Module):
    def __init__(self):
        super().__init__()
        self.head, self.body = nn.Conv2d(3, 16, 3, padding=1), conv(16, 16, activation=nn.PReLU)
        self.tail = nn.Sequential(nn.Conv2d(16, 64, 3, padding=1), nn.PixelShuffle(2), nn.Conv2d(16, 3, 3, padding=1))

    def forward(self, x):
        x = self.head(x)
        return self.tail(x + .1 * self.body(x))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down1, self.down2, self.bottom = conv(3, 8), conv(8, 16), conv(16, 32, activation=nn.Hardswish)
        self.grow2, self.up2 = nn.ConvTranspose2d(32, 16, 2, 2), conv(32, 16)
        self.grow1, self.up1 = nn.ConvTranspose2d(16, 8, 2, 2), conv(16, 8, activation=nn.Mish)
        self.out = nn.Conv2d(8, 2, 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.down2(F.max_pool2d(a, 2))
        c = self.bottom(F.max_pool2d(b, 2))
        d = self.up2(torch.cat([self.grow2(c), b], 1))
        return self.out(self.up1(torch.cat([self.grow1(d), a], 1)))


class GroupNormNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.GroupNorm(4, 16), nn.ReLU(),
                                    nn.Conv2d(16, 16, 3, padding=1), nn.InstanceNorm2d(16, affine=True), nn.SiLU(),
                                    nn.Conv2d(16, 4, 1))

    def forward(self, x):
        return self.layers(x)


class Detector(nn.Module):
    """Space-to-depth, pyramid pooling, two scales, and boxes decoded in the graph."""

    def __init__(self):
        super().__init__()
        self.stem, self.stage, self.pyramid = conv(12, 16), conv(16, 32, 3, 2), conv(128, 32, 1)
        self.down, self.merge = conv(32, 64, 3, 2), conv(96, 32)
        self.heads = nn.ModuleList([nn.Conv2d(32, 27, 1), nn.Conv2d(64, 27, 1)])
        self.anchors = nn.Parameter(torch.rand(2, 1, 3, 1, 1, 2) * 20 + 5)

    def decode(self, scale, y, stride):
        batch, _, height, width = y.shape
        y = self.heads[scale](y).view(batch, 3, 9, height, width).permute(0, 1, 3, 4, 2).contiguous().sigmoid()
        rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width))
        centers = (y[..., 0:2] * 2 - .5 + torch.stack((columns, rows), 2)) * stride
        sizes = (y[..., 2:4] * 2) ** 2 * self.anchors[scale]
        return torch.cat((centers, sizes, y[..., 4:]), -1).view(batch, -1, 9)

    def forward(self, x):
        x = torch.cat([x[..., ::2, ::2], x[..., 1::2, ::2], x[..., ::2, 1::2], x[..., 1::2, 1::2]], 1)
        x = self.stage(self.stem(x))
        x = self.pyramid(torch.cat([x] + [F.max_pool2d(x, k, 1, k // 2) for k in (5, 9, 13)], 1))
        low = self.down(x)
        high = self.merge(torch.cat([F.interpolate(low, scale_factor=2.0, mode='nearest'), x], 1))
        return torch.cat([self.decode(0, high, 4), self.decode(1, low, 8)], 1)


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches, self.norm = nn.Conv2d(3, 32, 4, 4), nn.LayerNorm(32)
        self.tokens, self.channels, self.out = nn.Linear(64, 64), nn.Linear(32, 32), nn.Linear(32, 5)

    def forward(self, x):
        x = self.patches(x).flatten(2).transpose(1, 2)
        x = x + F.gelu(self.tokens(self.norm(x).transpose(1, 2))).transpose(1, 2)
        return self.out((x + F.gelu(self.channels(self.norm(x)))).mean(1))


def split_heads(x):
    return x.view(x.shape[0], x.shape[1], 4, 8).transpose(1, 2)


def merge_heads(x):
    return x.transpose(1, 2).reshape(x.shape[0], x.shape[2], 32)


class Encoder(nn.Module):
    """Post-norm layers, a padding mask, Gelu by tanh."""

    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(50, 32), nn.Embedding(64, 32)
        self.layers = nn.ModuleList([nn.ModuleDict({
            'qkv': nn.Linear(32, 96), 'out': nn.Linear(32, 32), 'norm1': nn.LayerNorm(32), 'norm2': nn.LayerNorm(32),
            'up': nn.Linear(32, 64), 'down': nn.Linear(64, 32)}) for _ in range(2)])

    def forward(self, ids, mask):
        x = self.words(ids) + self.places(torch.arange(ids.shape[1]))[None]
        bias = (1.0 - mask[:, None, None, :].float()) * -10000.0
        for layer in self.layers:
            q, k, v = [split_heads(t) for t in layer['qkv'](x).chunk(3, -1)]
            weights = torch.softmax(q @ k.transpose(-1, -2) / 8 ** .5 + bias, -1)
            x = layer['norm1'](x + layer['out'](merge_heads(weights @ v)))
            h = layer['up'](x)
            h = 0.5 * h * (1 + torch.tanh(0.7978845608 * (h + 0.044715 * h ** 3)))
            x = layer['norm2'](x + layer['down'](h))
        return x


class Decoder(nn.Module):
    """Pre-norm layers with RMSNorm, rotary positions, a causal mask and gated units."""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(50, 32)
        self.layers = nn.ModuleList([nn.ModuleDict({
            'qkv': nn.Linear(32, 96, bias=False), 'out': nn.Linear(32, 32, bias=False),
            'gate': nn.Linear(32, 64, bias=False), 'up': nn.Linear(32, 64, bias=False),
            'down': nn.Linear(64, 32, bias=False)}) for _ in range(2)])
        self.scales = nn.Parameter(torch.rand(4, 32) + .5)

    @staticmethod
    def norm(x, scale):
        return scale * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))

    @staticmethod
    def rotate(x, cosines, sines):
        half = x.shape[-1] // 2
        return x * cosines + torch.cat((-x[..., half:], x[..., :half]), -1) * sines

    def forward(self, ids):
        length = ids.shape[1]
        x = self.words(ids)
        angles = torch.arange(length)[:, None].float() * (10000 ** (-torch.arange(4).float() / 4))[None]
        angles = torch.cat((angles, angles), -1)
        mask = torch.full((length, length), float('-inf')).triu(1)
        for i, layer in enumerate(self.layers):
            q, k, v = [split_heads(t) for t in layer['qkv'](self.norm(x, self.scales[2 * i])).split(32, -1)]
            q, k = [self.rotate(t, angles.cos(), angles.sin()) for t in (q, k)]
            weights = torch.softmax(q @ k.transpose(2, 3) * 8 ** -.5 + mask, -1)
            x = x + layer['out'](merge_heads(weights @ v))
            h = self.norm(x, self.scales[2 * i + 1])
            x = x + layer['down'](F.silu(layer['gate'](h)) * layer['up'](h))
        return x


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layers, self.out = kind(16, 24, 2, bidirectional=True, batch_first=True), nn.Linear(48, 5)

    def forward(self, x):
        return self.out(self.layers(x)[0])


class TextReader(nn.Module):
    def __init__(self):
        super().__init__()
        self.image = nn.Sequential(conv(1, 8, 3, 2), conv(8, 16, 3, (2, 1), nn.ReLU))
        self.sequence, self.out = nn.LSTM(128, 20, bidirectional=True, batch_first=True), nn.Linear(40, 11)

    def forward(self, x):
        x = self.image(x)
        x = x.permute(0, 3, 1, 2).reshape(x.shape[0], x.shape[3], 128)
        return F.log_softmax(self.out(self.sequence(x)[0]), -1)


class Vocoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.down, self.gated = nn.Conv1d(1, 8, 9, 4, 4), nn.Conv1d(8, 16, 3, padding=2, dilation=2)
        self.up = nn.ConvTranspose1d(8, 1, 8, 4, 2)

    def forward(self, x):
        a, b = self.gated(self.down(x)).chunk(2, 1)
        return self.up(torch.tanh(a) * torch.sigmoid(b))
