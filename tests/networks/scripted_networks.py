"""Small networks whose TorchScript has loops, branches and states."""
from typing import Tuple

import torch
from torch import nn


class Layers(nn.Module):
    """A loop over layers and one over numbers, branches by their positions and by sizes."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(6, 6) for _ in range(3)])

    def forward(self, x, rounds: int = 3):
        y = torch.zeros_like(x)
        for i, layer in enumerate(self.layers):
            y = torch.relu(layer(y + x)) if i % 2 == 0 else layer(y) - x
        for i in range(rounds):
            y += i * x
        if x.size(1) > 4:
            y = y * 2
        return y


class Steps(nn.Module):
    """A cell that is run step by step, and its state."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(4, 5)

    def forward(self, x, state: Tuple[torch.Tensor, torch.Tensor]):
        h, total = state
        rows = []
        for i in range(x.size(0)):
            h = self.cell(x[i], h)
            rows.append(h)
        return torch.stack(rows), (h, total + h)


class Translator(nn.Module):
    """An encoder, and a decoder that reads its own words."""

    def __init__(self):
        super().__init__()
        self.words, self.encoder = nn.Embedding(20, 8), nn.GRU(8, 12)
        self.cell, self.out = nn.LSTMCell(8, 12), nn.Linear(12, 20)

    def forward(self, ids):
        h = self.encoder(self.words(ids))[1][0]
        c, word = torch.zeros_like(h), torch.zeros(ids.size(1), dtype=torch.long)
        scores = []
        for _ in range(4):
            h, c = self.cell(self.words(word), (h, c))
            scores.append(self.out(h))
            word = scores[-1].argmax(1)
        return torch.stack(scores)


class InPlace(nn.Module):
    """Parts of a tensor that are written to."""

    def forward(self, x):
        y = x.clone()
        y[:, 0] = 0
        y[:, 1:3] *= 2
        y[y < -1] = .5
        row = y[0]
        row += 1
        return {'changed': y, 'row': row, 'given': x}
