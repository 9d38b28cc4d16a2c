"""Small networks that keep states in their attributes from one call to the next, as streaming models do."""
from typing import Dict, List, Optional, Tuple

import torch
from torch import nn


class Ring(nn.Module):
    """A ring of rows, whose position is an attribute."""

    def __init__(self, rows: int = 4):
        super().__init__()
        self.register_buffer('buffer', torch.zeros(rows, 3))
        self.at, self.rows = 0, rows

    def forward(self, x):
        self.buffer[self.at % self.rows] = x
        self.at += 1
        return self.buffer.mean(0)


class RingOfTensorPosition(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('buffer', torch.zeros(4, 3))
        self.register_buffer('at', torch.tensor(0))

    def forward(self, x):
        self.buffer[self.at] = x
        self.at = (self.at + 1) % 4
        return self.buffer[self.at] + self.buffer.sum(0)


class RingSetBack(Ring):
    def forward(self, x):
        self.buffer[self.at] = x
        self.at += 1
        is_full = False
        if self.at >= self.rows:
            self.at = 0
            is_full = True
        if is_full:
            return self.buffer * 2
        return self.buffer + 0


class RingOfBlocks(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer('buffer', torch.zeros(6, 3))
        self.at = 0

    def forward(self, x):
        self.buffer[self.at:self.at + 2] = x
        self.at = (self.at + 2) % 6
        return self.buffer.sum(0)


class RingByNarrow(RingOfBlocks):
    def forward(self, x):
        self.buffer.narrow(0, self.at, 2).copy_(x)
        self.at = (self.at + 2) % 6
        return self.buffer * 1


class DelayLine(Ring):
    def forward(self, x):
        y = self.buffer[self.at] * 0.5 + x
        self.buffer[self.at] = y
        self.at = (self.at + 1) % self.rows
        return torch.cat([y[None], self.buffer[self.at:], self.buffer[:self.at]])


class FilledPart(Ring):
    def forward(self, x):
        self.buffer[self.at % self.rows] = x
        self.at += 1
        return self.buffer[:min(self.at, self.rows)].mean(0)


class EveryOther(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0
        self.register_buffer('last', torch.zeros(3))

    def forward(self, x):
        if self.calls % 2 == 0:
            self.last = x * 2
        self.calls += 1
        return self.last


class MovingAverage(nn.Module):
    def __init__(self):
        super().__init__()
        self.has_begun = False
        self.register_buffer('mean', torch.zeros(3))

    def forward(self, x):
        if not self.has_begun:
            self.mean = x
            self.has_begun = True
        else:
            self.mean = 0.9 * self.mean + 0.1 * x
        return self.mean


class NoneAtFirst(nn.Module):
    state: Optional[Tuple[torch.Tensor, torch.Tensor]]

    def __init__(self):
        super().__init__()
        self.state, self.layer = None, nn.LSTM(3, 5)

    def forward(self, x):
        y, self.state = self.layer(x[None, None], self.state)
        return y


class ListOfStates(nn.Module):
    states: List[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.states, self.first, self.second = [], nn.GRUCell(3, 4), nn.GRUCell(4, 4)

    def forward(self, x):
        if len(self.states) == 0:
            self.states = [torch.zeros(1, 4), torch.ones(1, 4)]
        h = self.first(x[None], self.states[0])
        g = self.second(h, self.states[1])
        self.states = [h, g]
        return g


class DictOfStates(nn.Module):
    states: Dict[str, torch.Tensor]

    def __init__(self):
        super().__init__()
        self.states = {}

    def forward(self, x):
        if 'h' not in self.states:
            self.states['h'] = torch.zeros(3)
        self.states['h'] = self.states['h'] * 0.5 + x
        return self.states['h']


class Queue(nn.Module):
    rows: List[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.rows = []

    def forward(self, x):
        if len(self.rows) == 0:
            for _ in range(3):
                self.rows.append(torch.zeros_like(x))
        self.rows = self.rows[1:] + [x]
        return torch.stack(self.rows).sum(0)


class StreamingConvolutions(nn.Module):
    caches: List[torch.Tensor]

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Conv1d(1, 2, 3), nn.Conv1d(2, 2, 3)])
        self.caches = []

    def forward(self, x):
        x = x[None, None]
        caches: List[torch.Tensor] = []
        for i, layer in enumerate(self.layers):
            if len(self.caches) > i:
                x = torch.cat([self.caches[i], x], 2)
            else:
                x = nn.functional.pad(x, (2, 0))
            caches.append(x[:, :, -2:])
            x = layer(x)
        self.caches = caches
        return x


class Detector(nn.Module):
    """As silero_vad of 2022 has it."""

    def __init__(self):
        super().__init__()
        self.h, self.c, self.last_rate, self.last_batch = torch.zeros(0), torch.zeros(0), 0, 0
        self.layer = nn.LSTM(3, 4)

    @torch.jit.export
    def reset_states(self, batch: int):
        self.h, self.c = torch.zeros([1, batch, 4]), torch.zeros([1, batch, 4])
        self.last_rate, self.last_batch = 0, 0

    def forward(self, x, rate: int = 16000):
        x = x[None]
        if not self.last_batch:
            self.reset_states(x.shape[0])
        if self.last_rate and self.last_rate != rate:
            self.reset_states(x.shape[0])
        if self.last_batch and self.last_batch != x.shape[0]:
            self.reset_states(x.shape[0])
        if len(self.h) == 0:
            y, (h, c) = self.layer(x[None])
        else:
            y, (h, c) = self.layer(x[None], (self.h, self.c))
        self.h, self.c, self.last_rate, self.last_batch = h, c, rate, x.shape[0]
        return y


# name: (network, shape of its input)
STREAMS = {network.__name__: (network, shape) for network, shape in {
    Ring: (3,), RingOfTensorPosition: (3,), RingSetBack: (3,), RingOfBlocks: (2, 3), RingByNarrow: (2, 3), DelayLine: (3,),
    FilledPart: (3,), EveryOther: (3,), MovingAverage: (3,), NoneAtFirst: (3,), ListOfStates: (3,), DictOfStates: (3,),
    Queue: (3,), StreamingConvolutions: (6,), Detector: (3,)}.items()}
