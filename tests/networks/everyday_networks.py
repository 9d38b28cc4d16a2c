"""Networks in the styles that people write: {name: (make, inputs, whether it is scripted)}."""
import math
from typing import Dict, List, Optional, Tuple

import torch
import torchvision
from torch import nn
from torch.nn import functional as F

R = torch.randn


def convolutions(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs),
                         nn.ReLU(inplace=True), nn.Conv2d(outputs, outputs, 3, padding=1, bias=False),
                         nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = convolutions(3, 8)
        self.down1 = nn.Sequential(nn.MaxPool2d(2), convolutions(8, 16))
        self.down2 = nn.Sequential(nn.MaxPool2d(2), convolutions(16, 16))
        self.up = nn.Upsample(scale_factor=2, mode='bilinear', align_corners=True)
        self.join1, self.join2, self.out = convolutions(32, 8), convolutions(16, 8), nn.Conv2d(8, 2, 1)

    def join(self, x1, x2):
        x1 = self.up(x1)
        dy, dx = x2.size()[2] - x1.size()[2], x2.size()[3] - x1.size()[3]
        x1 = F.pad(x1, [dx // 2, dx - dx // 2, dy // 2, dy - dy // 2])
        return torch.cat([x2, x1], dim=1)

    def forward(self, x):
        a = self.first(x)
        b = self.down1(a)
        c = self.down2(b)
        return self.out(self.join2(self.join(self.join1(self.join(c, b)), a)))


class SelfAttention(nn.Module):
    def __init__(self, size=32, heads=4, tokens=16):
        super().__init__()
        self.qkv, self.proj, self.heads, self.size = nn.Linear(size, 3 * size), nn.Linear(size, size), heads, size
        self.register_buffer('bias', torch.tril(torch.ones(tokens, tokens)).view(1, 1, tokens, tokens))

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = self.qkv(x).split(self.size, dim=2)
        k = k.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        q = q.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = v.view(B, T, self.heads, C // self.heads).transpose(1, 2)
        a = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        a = F.softmax(a.masked_fill(self.bias[:, :, :T, :T] == 0, float('-inf')), dim=-1)
        return self.proj((a @ v).transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.attention, self.norm2 = nn.LayerNorm(32), SelfAttention(), nn.LayerNorm(32)
        self.mlp = nn.ModuleDict({'fc': nn.Linear(32, 64), 'act': nn.GELU(), 'proj': nn.Linear(64, 32)})

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.mlp['proj'](self.mlp['act'](self.mlp['fc'](self.norm2(x))))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(50, 32), nn.Embedding(16, 32)
        self.blocks, self.norm = nn.ModuleList([Block() for _ in range(2)]), nn.LayerNorm(32)
        self.head = nn.Linear(32, 50, bias=False)

    def forward(self, ids):
        b, t = ids.size()
        assert t <= 16
        x = self.words(ids) + self.places(torch.arange(0, t, dtype=torch.long, device=ids.device).unsqueeze(0))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))[:, [-1], :]


class Writer(nn.Module):
    """Its own words are its next input."""

    def __init__(self):
        super().__init__()
        self.gpt = Gpt()

    def forward(self, ids, n: int = 4):
        for _ in range(n):
            logits = self.gpt(ids)[:, -1, :]
            ids = torch.cat((ids, torch.argmax(logits, dim=-1, keepdim=True)), dim=1)
        return ids


class Steps(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.LSTMCell(4, 5)

    def forward(self, x, state: Tuple[torch.Tensor, torch.Tensor]):
        outputs = torch.jit.annotate(List[torch.Tensor], [])
        for row in x.unbind(0):
            state = self.cell(row, state)
            outputs += [state[0]]
        return torch.stack(outputs), state


class Detector(nn.Module):
    def __init__(self, suppresses=False):
        super().__init__()
        self.suppresses, self.strides = suppresses, [8., 16.]
        self.heads = nn.ModuleList(nn.Conv2d(c, 24, 1) for c in (8, 16))
        self.stems = nn.ModuleList([nn.Conv2d(3, 8, 3, 8, 1), nn.Conv2d(3, 16, 3, 16, 1)])
        self.register_buffer('anchors', torch.rand(2, 3, 2) * 4)

    def decoded(self, image):
        parts = []
        for i in range(2):
            x = self.heads[i](F.silu(self.stems[i](image)))
            n, _, h, w = x.shape
            x = x.view(n, 3, 8, h, w).permute(0, 1, 3, 4, 2).contiguous()
            at_y, at_x = torch.meshgrid(torch.arange(h), torch.arange(w), indexing='ij')
            grid = torch.stack((at_x, at_y), 2).expand(1, 3, h, w, 2).float() - .5
            anchors = (self.anchors[i] * self.strides[i]).view(1, 3, 1, 1, 2).expand(1, 3, h, w, 2)
            y = x.sigmoid()
            center, size = (y[..., 0:2] * 2 + grid) * self.strides[i], (y[..., 2:4] * 2)**2 * anchors
            parts.append(torch.cat((center, size, y[..., 4:]), 4).view(n, -1, 8))
        return torch.cat(parts, 1)

    def forward(self, image):
        if not self.suppresses:
            return self.decoded(image)
        p = self.decoded(image)[0]
        boxes = torch.cat([p[:, :2] - p[:, 2:4] / 2, p[:, :2] + p[:, 2:4] / 2], 1)
        scores, classes = (p[:, 5:] * p[:, 4:5]).max(1)
        keep = torchvision.ops.nms(boxes, scores, .5)
        return boxes[keep], scores[keep], classes[keep]


class Tagger(nn.Module):
    """Viterbi's path through the scores of a network."""

    def __init__(self, tags=5):
        super().__init__()
        self.words, self.lstm = nn.Embedding(30, 8), nn.LSTM(8, 6, bidirectional=True, batch_first=True)
        self.linear, self.transitions = nn.Linear(12, tags), nn.Parameter(R(tags, tags))

    def forward(self, x):
        scores = self.linear(self.lstm(self.words(x))[0])[0]
        total = scores[0]
        history: List[torch.Tensor] = []
        for t in range(1, scores.size(0)):
            total, before = (total.unsqueeze(1) + self.transitions + scores[t].unsqueeze(0)).max(0)
            history.append(before)
        best = total.argmax()
        path = [best]
        for i in range(len(history)):
            best = history[len(history) - 1 - i][best]
            path.append(best)
        return torch.stack(path[::-1]), total.max()


class Chomp(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def forward(self, x):
        return x[:, :, :-self.size].contiguous()


class Temporal(nn.Module):
    def __init__(self):
        super().__init__()
        layers = []
        for i, d in enumerate([1, 2, 4]):
            layers += [nn.utils.weight_norm(nn.Conv1d(8 if i else 3, 8, 3, padding=2 * d, dilation=d)), Chomp(2 * d),
                       nn.ReLU(), nn.Dropout(.2)]
        self.layers, self.out = nn.Sequential(*layers), nn.Linear(8, 4)

    def forward(self, x):
        return F.log_softmax(self.out(self.layers(x)[:, :, -1]), dim=1)


class Spectrogram(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('window', torch.hann_window(64))
        self.register_buffer('filters', torch.rand(33, 10))
        self.conv = nn.Conv1d(10, 4, 3)

    def forward(self, x):
        z = torch.stft(x, 64, 16, 64, self.window, center=True, pad_mode='reflect', normalized=False, onesided=True,
                       return_complex=True)
        mel = torch.matmul(z.abs().pow(2.0).transpose(-1, -2), self.filters).transpose(-1, -2)
        log = torch.log(torch.clamp(mel, min=1e-5))
        return self.conv((log - log.mean(-1, keepdim=True)) / (log.std(-1, keepdim=True) + 1e-5))


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(8, 4)
        self.experts = nn.ModuleList([nn.Sequential(nn.Linear(8, 8), nn.SiLU()) for _ in range(4)])

    def forward(self, x):
        v, i = F.softmax(self.gate(x), -1).topk(2, -1)
        y = torch.zeros_like(x)
        for k, expert in enumerate(self.experts):
            y = y + expert(x) * (v * (i == k).to(x.dtype)).sum(-1, keepdim=True)
        return y


class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x, flag: Optional[torch.Tensor] = None) -> Tuple[torch.Tensor, Dict[str, torch.Tensor]]:
        more: Dict[str, torch.Tensor] = {}
        if x.sum() > 0:
            y = self.a(x)
        else:
            y = self.b(x)
        if x.mean() > 100:
            raise RuntimeError('too large')
        more['y'] = y
        if flag is not None:
            more['flag'] = flag
        return y.relu(), more


class EarlyReturns(nn.Module):
    """What is returned early is no value elsewhere."""

    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 3), nn.Linear(4, 3)

    def forward(self, x):
        if x.sum() > 100:
            return self.a(x), x
        if x.sum() > -100:
            return self.b(x).relu(), x * 2
        return self.b(x), x


class Backwards(nn.Module):
    """A loop by constants that goes on early, as a run decides."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 4)

    def forward(self, x):
        h = torch.zeros(x.size(1), 4)
        out: List[torch.Tensor] = []
        for t in range(x.size(0) - 1, -1, -1):
            h = self.cell(x[t], h)
            if t % 2 == 0:
                out.insert(0, h)
            elif bool(h.sum() > 1000):
                continue
        return torch.stack(out)


class Greedy(nn.Module):
    """Writes what it chooses into its place, until it chooses the end."""

    def __init__(self):
        super().__init__()
        self.names, self.cell, self.scores = nn.Embedding(9, 6), nn.GRUCell(6, 6), nn.Linear(6, 9)

    def forward(self, h):
        chosen = torch.zeros(1, dtype=torch.long)
        out = torch.zeros(8, dtype=torch.long)
        for i in range(8):
            h = self.cell(self.names(chosen), h)
            chosen = self.scores(h).argmax(1)
            out[i] = chosen[0]
            if bool(chosen[0] == 3):
                break
        return out


class Modulated(nn.Module):
    """The weights of a convolution are computed."""

    def __init__(self):
        super().__init__()
        self.weight, self.linear = nn.Parameter(R(1, 6, 4, 3, 3)), nn.Linear(5, 4)

    def forward(self, x, style):
        b, c, h, w = x.shape
        k = self.weight * self.linear(style).view(b, 1, c, 1, 1)
        k = k * torch.rsqrt(k.pow(2).sum([2, 3, 4]) + 1e-8).view(b, 6, 1, 1, 1)
        return F.conv2d(x.view(1, b * c, h, w), k.view(b * 6, c, 3, 3), padding=1, groups=b).view(b, 6, h, w)


class SpatialTransformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(1, 4, 7), nn.MaxPool2d(2, 2), nn.ReLU(True))
        self.linear = nn.Linear(4 * 11 * 11, 6)

    def forward(self, x):
        theta = self.linear(self.layers(x).view(-1, 4 * 11 * 11)).view(-1, 2, 3)
        return F.grid_sample(x, F.affine_grid(theta, x.size(), align_corners=False), align_corners=False)


class Deformable(nn.Module):
    def __init__(self):
        super().__init__()
        self.offsets, self.conv = nn.Conv2d(3, 18, 3, padding=1), torchvision.ops.DeformConv2d(3, 4, 3, padding=1)

    def forward(self, x):
        return self.conv(x, self.offsets(x))


class ConvLstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(6, 16, 3, padding=1)

    def forward(self, x):
        B, T, _, H, W = x.size()
        h = torch.zeros(B, 4, H, W, device=x.device)
        c = torch.zeros_like(h)
        steps = []
        for t in range(T):
            i, f, o, g = torch.split(self.conv(torch.cat([x[:, t], h], 1)), 4, dim=1)
            c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
            h = torch.sigmoid(o) * torch.tanh(c)
            steps.append(h)
        return torch.stack(steps, dim=1), (h, c)


class GraphLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 5)

    def forward(self, x, edges):
        source, target = edges[0], edges[1]
        y = torch.zeros(x.size(0), 5).index_add_(0, target, self.linear(x)[source])
        degrees = torch.zeros(x.size(0)).scatter_add_(0, target, torch.ones(target.size(0)))
        return y / degrees.clamp(min=1).unsqueeze(-1)


class Codebook(nn.Module):
    def __init__(self):
        super().__init__()
        self.codes = nn.Embedding(16, 4)

    def forward(self, z):
        z = z.permute(0, 2, 3, 1).contiguous()
        flat = z.view(-1, 4)
        d = torch.sum(flat**2, 1, keepdim=True) + torch.sum(self.codes.weight**2, 1)
        i = torch.argmin(d - 2 * torch.matmul(flat, self.codes.weight.t()), 1).unsqueeze(1)
        chosen = torch.zeros(i.shape[0], 16)
        chosen.scatter_(1, i, 1)
        q = torch.matmul(chosen, self.codes.weight).view(z.shape)
        return (z + (q - z).detach()).permute(0, 3, 1, 2), i


class Ctc(nn.Module):
    def forward(self, logits: torch.Tensor) -> torch.Tensor:
        ids = torch.unique_consecutive(torch.argmax(logits, dim=-1))
        return ids[ids != 0]


class Cached(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(8, 24)

    def forward(self, x, cache: Tuple[torch.Tensor, torch.Tensor]):
        q, k, v = self.qkv(x).chunk(3, -1)
        k, v = torch.cat([cache[0], k], 1), torch.cat([cache[1], v], 1)
        return F.softmax(q @ k.mT / 8**.5, -1) @ v, (k, v)


class Masked(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(16, 2, 32, batch_first=True, norm_first=True)
        self.layers, self.words = nn.TransformerEncoder(layer, 2), nn.Embedding(9, 16, padding_idx=0)

    def forward(self, x):
        return self.layers(self.words(x) * 4, src_key_padding_mask=(x == 0)).mean(1)


class Packed(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(4, 5, batch_first=True, bidirectional=True)

    def forward(self, x, lengths):
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        y, (h, _) = self.lstm(packed)
        return nn.utils.rnn.pad_packed_sequence(y, batch_first=True)[0], h


class Projected(nn.Module):
    """Layers whose outputs are projected: one with the states given, one without, and one of packed sequences."""
    def __init__(self):
        super().__init__()
        self.first = nn.LSTM(4, 6, num_layers=2, bidirectional=True, proj_size=3)
        self.second = nn.LSTM(6, 5, batch_first=True, proj_size=2, bias=False)
        self.third = nn.LSTM(2, 7, bidirectional=True, proj_size=3)

    def forward(self, x, lengths, h, c):
        x, (h1, c1) = self.first(x, (h, c))
        x, (h2, c2) = self.second(x)
        packed = nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=False)
        y, (h3, c3) = self.third(packed, (h[:2], torch.cat([c[:2], c[:2, :, :1]], 2)))
        return nn.utils.rnn.pad_packed_sequence(y)[0], h1, c1, h2, c2, h3, c3


class Pyramid(nn.Module):
    def forward(self, x: torch.Tensor) -> List[torch.Tensor]:
        levels = [x]
        while levels[-1].shape[-1] > 4:
            levels.append(F.avg_pool2d(levels[-1], 2))
        return [level * 2 for level in levels[1:]]


class Pairs(nn.Module):
    def forward(self, x: torch.Tensor, k: int = 2):
        rows = []
        for i, (a, b) in enumerate(zip(x.split(1), x.flip(0).split(1))):
            if i % k == 0:
                continue
            rows.append(a - b)
            if i > 4:
                break
        return torch.cat(rows)


class Best(nn.Module):
    def forward(self, boxes, scores):
        keep = scores > 0
        boxes, scores = boxes[keep], scores[keep]
        order = scores.argsort(descending=True)
        return boxes[order], scores[order]


IMAGE, STATE = R(1, 3, 33, 35), (R(2, 5), R(2, 5))
IDS = torch.randint(0, 50, (2, 9))
EVERYDAY = {
    'unet': (UNet, [IMAGE], False),
    'unet_scripted': (UNet, [IMAGE], True),
    'gpt': (Gpt, [IDS], False),
    'gpt_scripted': (Gpt, [IDS], True),
    'writer': (Writer, [IDS[:1, :4]], True),
    'steps': (Steps, [R(5, 2, 4), STATE], False),
    'steps_scripted': (Steps, [R(5, 2, 4), STATE], True),
    'detector': (Detector, [R(1, 3, 64, 64)], False),
    'detector_nms': (lambda: Detector(True), [R(1, 3, 64, 64)], False),
    'tagger': (Tagger, [torch.randint(0, 30, (1, 7))], True),
    'temporal': (Temporal, [R(2, 3, 20)], False),
    'spectrogram': (Spectrogram, [R(2, 400)], True),
    'experts': (Experts, [R(5, 8)], True),
    'branches': (Branches, [R(2, 4)], True),
    'early_returns': (EarlyReturns, [R(2, 4)], True),
    'backwards': (Backwards, [R(5, 2, 4)], True),
    'greedy': (Greedy, [R(1, 6)], True),
    'modulated': (Modulated, [R(2, 4, 8, 8), R(2, 5)], True),
    'spatial_transformer': (SpatialTransformer, [R(1, 1, 28, 28)], True),
    'deformable': (Deformable, [R(1, 3, 8, 8)], True),
    'conv_lstm': (ConvLstm, [R(1, 3, 2, 6, 6)], True),
    'graph_layer': (GraphLayer, [R(5, 4), torch.randint(0, 5, (2, 8))], True),
    'codebook': (Codebook, [R(1, 4, 3, 3)], True),
    'ctc': (Ctc, [R(12, 4)], True),
    'cached': (Cached, [R(1, 1, 8), (R(1, 3, 8), R(1, 3, 8))], True),
    'masked': (Masked, [torch.tensor([[1, 2, 3, 0], [4, 5, 0, 0]])], True),
    'packed': (Packed, [R(2, 5, 4), torch.tensor([3, 5])], False),
    'projected': (Projected, [R(5, 2, 4), torch.tensor([3, 5]), R(4, 2, 3), R(4, 2, 6)], False),
    'pyramid': (Pyramid, [R(1, 2, 16, 16)], True),
    'pairs': (Pairs, [R(7, 3)], True),
    'best': (Best, [R(6, 4), R(6)], True),
}
