# Losses, which some models give beside their predictions. reduction: 0 none, 1 mean, 2 sum.

def __reduced(loss, reduction):
  if reduction == 1:
    return torch.mean(loss)
  if reduction == 2:
    return torch.sum(loss)
  return loss

def binary_cross_entropy(self, target, weight=None, reduction: int=1):
  yes = target * torch.clamp(torch.log(self), -100.)
  no = torch.rsub(target, 1) * torch.clamp(torch.log(torch.rsub(self, 1)), -100.)
  loss = torch.neg(yes + no)
  if weight is not None:
    loss = loss * weight
  return torch.__reduced(loss, reduction)

def cosine_embedding_loss(input1, input2, target, margin: float=0., reduction: int=1):
  dim = torch.dim(input1) - 1
  product = torch.sum(input1 * input2, [dim])
  first = torch.sum(input1 * input1, [dim]) + 9.9999999999999998e-13
  second = torch.sum(input2 * input2, [dim]) + 9.9999999999999998e-13
  cosine = product / torch.sqrt(first * second)
  alike = torch.where(torch.eq(target, 1), torch.rsub(cosine, 1), torch.zeros_like(cosine))
  apart = torch.where(torch.eq(target, -1), torch.relu(cosine - margin), torch.zeros_like(cosine))
  return torch.__reduced(alike + apart, reduction)

def cross_entropy_loss(self, target, weight=None, reduction: int=1, ignore_index: int=-100, label_smoothing: float=0.):
  classes = 0 if torch.dim(self) == 1 else 1
  logs = torch.log_softmax(self, classes)
  if torch.is_floating_point(target):
    return torch.__cross_entropy_of_probabilities(logs, target, weight, reduction, label_smoothing, classes)
  loss = torch.nll_loss_nd(logs, target, weight, reduction, ignore_index)
  if label_smoothing == 0.:
    return loss
  counts = torch.ne(target, ignore_index)
  weighted = logs if weight is None else logs * torch.__along(weight, logs, classes)
  smooth = torch.where(counts, torch.neg(torch.sum(weighted, [classes])), 0.)
  if reduction == 1:
    smooth = torch.sum(smooth) / torch.__weight_of_targets(logs, target, weight, ignore_index, classes)
  elif reduction == 2:
    smooth = torch.sum(smooth)
  part = label_smoothing / torch.size(self, classes)
  return loss * (1. - label_smoothing) + smooth * part

def __cross_entropy_of_probabilities(logs, target, weight, reduction: int, label_smoothing: float, classes: int):
  wanted = target
  if label_smoothing > 0.:
    wanted = target * (1. - label_smoothing) + label_smoothing / torch.size(logs, classes)
  product = logs * wanted
  if weight is not None:
    product = product * torch.__along(weight, logs, classes)
  loss = torch.neg(torch.sum(product, [classes]))
  if reduction == 1:
    return torch.sum(loss) / (torch.numel(logs) / torch.size(logs, classes))
  return torch.__reduced(loss, reduction)

def __along(vector, like, dim: int):
  shape = [1] * torch.dim(like)
  shape[dim] = -1
  return torch.reshape(vector, shape)

def __weight_of_targets(logs, target, weight, ignore_index: int, classes: int):
  counts = torch.ne(target, ignore_index)
  if weight is None:
    return torch.sum(torch.to(counts, torch.dtype(logs)))
  chosen = torch.where(counts, target, torch.zeros_like(target))
  return torch.sum(torch.where(counts, torch.take(weight, chosen), 0.))

def hinge_embedding_loss(self, target, margin: float=1., reduction: int=1):
  zero = torch.zeros_like(self)
  apart = torch.where(torch.eq(target, 1), zero, torch.relu(torch.rsub(self, margin)))
  alike = torch.where(torch.eq(target, -1), zero, self)
  return torch.__reduced(alike + apart, reduction)

def kl_div(self, target, reduction: int=1, log_target: bool=False):
  if log_target:
    return torch.__reduced(torch.exp(target) * (target - self), reduction)
  return torch.__reduced(torch.xlogy(target, target) - target * self, reduction)

def margin_ranking_loss(input1, input2, target, margin: float=0., reduction: int=1):
  return torch.__reduced(torch.relu(torch.neg(target) * (input1 - input2) + margin), reduction)

def multi_margin_loss(self, target, p=1, margin=1, weight=None, reduction: int=1):
  x = self if torch.dim(self) == 2 else torch.unsqueeze(self, 0)
  wanted = torch.unsqueeze(torch.reshape(target, [-1]), 1)
  loss = torch.relu(x - torch.gather(x, 1, wanted) + margin)
  if p == 2:
    loss = loss * loss
  if weight is not None:
    loss = loss * torch.take(weight, wanted)
  classes = torch.arange(torch.size(x, 1))
  loss = torch.where(torch.eq(classes, wanted), torch.zeros_like(loss), loss)
  loss = torch.sum(loss, [1]) / torch.size(x, 1)
  if torch.dim(self) == 1:
    loss = torch.squeeze(loss, 0)
  return torch.__reduced(loss, reduction)

def nll_loss(self, target, weight=None, reduction: int=1, ignore_index: int=-100):
  return torch.nll_loss_nd(self, target, weight, reduction, ignore_index)

def nll_loss2d(self, target, weight=None, reduction: int=1, ignore_index: int=-100):
  return torch.nll_loss_nd(self, target, weight, reduction, ignore_index)

def nll_loss_nd(self, target, weight=None, reduction: int=1, ignore_index: int=-100):
  classes = 0 if torch.dim(self) == 1 else 1
  counts = torch.ne(target, ignore_index)
  chosen = torch.where(counts, target, torch.zeros_like(target))
  found = torch.squeeze(torch.gather(self, classes, torch.unsqueeze(chosen, classes)), classes)
  if weight is not None:
    found = found * torch.take(weight, chosen)
  loss = torch.where(counts, torch.neg(found), 0.)
  if reduction == 1:
    return torch.sum(loss) / torch.__weight_of_targets(self, target, weight, ignore_index, classes)
  return torch.__reduced(loss, reduction)

def poisson_nll_loss(input, target, log_input: bool, full: bool, eps: float, reduction: int):
  if log_input:
    loss = torch.exp(input) - target * input
  else:
    loss = input - target * torch.log(input + eps)
  if full:
    more = target * torch.log(target) - target + torch.log(target * 6.2831853071795862) * 0.5
    loss = loss + torch.where(torch.gt(target, 1), more, torch.zeros_like(more))
  return torch.__reduced(loss, reduction)

def soft_margin_loss(self, target, reduction: int=1):
  return torch.__reduced(torch.log1p(torch.exp(torch.neg(target) * self)), reduction)

def triplet_margin_loss(anchor, positive, negative, margin: float=1., p: float=2., eps: float=9.9999999999999995e-07, swap: bool=False, reduction: int=1):
  near = torch.pairwise_distance(anchor, positive, p, eps)
  far = torch.pairwise_distance(anchor, negative, p, eps)
  if swap:
    far = torch.minimum(far, torch.pairwise_distance(positive, negative, p, eps))
  return torch.__reduced(torch.relu(near - far + margin), reduction)
