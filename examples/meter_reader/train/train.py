#!/usr/bin/env python3
"""Renders the training digits, trains the network and writes everything the example needs.

  python3 train.py                 # retrain: replaces the files in the example's folder
  python3 train.py --out /tmp/new  # the same into another folder
"""
import argparse
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True  # keeps the source folder clean

import numpy as np
import torch

import artifacts
import check
from crops import HEIGHT, WIDTH, normalize, random_crops
from fonts import TRAIN_FONTS
from model import MeterDigits

BATCH = 64
PEAK_RATE = 6e-3
AMBIGUOUS = 0.05  # drums nearer to half gone than this teach nothing


def parse_args():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--crops", type=int, default=60000, help="training crops to render")
    parser.add_argument("--epochs", type=int, default=10)
    return parser.parse_args()


def make_deterministic(seed):
    torch.manual_seed(seed)
    torch.set_num_threads(1)  # sums in one order, whatever the machine
    torch.use_deterministic_algorithms(True)


def train(net, crops, labels, epochs):
    inputs, targets = torch.from_numpy(crops), torch.from_numpy(labels.astype(np.int64))
    optimizer = torch.optim.AdamW(net.parameters(), weight_decay=1e-2)
    steps = epochs * (len(targets) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, PEAK_RATE, total_steps=steps)
    net.train()
    for epoch in range(epochs):
        total, start = 0.0, time.time()
        batches = torch.randperm(len(targets))[:len(targets) // BATCH * BATCH].view(-1, BATCH)
        for batch in batches:
            loss = torch.nn.functional.cross_entropy(net(inputs[batch]), targets[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: loss {total / len(batches):.4f}, {time.time() - start:.0f} s",
              flush=True)
    net.eval()


def export(net, path):
    """Batch norms stay nodes of their own (PRESERVE), so that folding is the converter's work."""
    torch.onnx.export(torch.nn.Sequential(net, torch.nn.Softmax(dim=1)),
                      torch.zeros(1, 1, HEIGHT, WIDTH), str(path),
                      opset_version=13, do_constant_folding=False,
                      training=torch.onnx.TrainingMode.PRESERVE,
                      input_names=["input"], output_names=["output"])


def main():
    args = parse_args()
    make_deterministic(args.seed)
    rng = np.random.default_rng(args.seed)
    crops, labels = random_crops(rng, args.crops, TRAIN_FONTS, AMBIGUOUS)
    print(f"rendered {len(labels)} crops", flush=True)
    net = MeterDigits()
    train(net, normalize(crops), labels, args.epochs)
    args.out.mkdir(parents=True, exist_ok=True)
    export(net, args.out / artifacts.MODEL)
    artifacts.write_all(args.out, args.seed)
    return check.report(args.out)


if __name__ == "__main__":
    sys.exit(main())
