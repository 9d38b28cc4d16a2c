# Sums along lines, and statistics.

def corrcoef(self):
  covariance = torch.cov(self)
  if torch.dim(covariance) == 0:
    return covariance / covariance
  deviation = torch.sqrt(torch.diagonal(covariance))
  return torch.clamp(covariance / torch.unsqueeze(deviation, 1) / torch.unsqueeze(deviation, 0), -1., 1.)

def cov(self, correction: int=1, fweights=None, aweights=None):
  x = torch.__as_floats(torch.atleast_2d(self))
  if fweights is None and aweights is None:
    count = torch.size(x, 1)
    off = x - torch.mean(x, [1], True)
    y = torch.matmul(off, torch.t(off)) / ops.prim.max(count - correction, 0)
  else:
    y = torch.__weighted_covariance(x, correction, fweights, aweights)
  if torch.size(x, 0) == 1:
    return torch.reshape(y, annotate(List[int], []))
  return y

def __weighted_covariance(x, correction: int, fweights, aweights):
  weights = fweights
  if aweights is not None:
    weights = aweights if fweights is None else fweights * aweights
  weights = torch.to(weights, torch.dtype(x))
  total = torch.sum(weights)
  mean = torch.sum(x * weights, [1], True) / total
  off = x - mean
  less = total - correction
  if aweights is not None and correction != 0:
    less = total - torch.sum(weights * aweights) / total * correction
  return torch.matmul(off * weights, torch.t(off)) / less

def cumulative_trapezoid(y, x=None, dx=1, dim: int=-1):
  return torch.cumsum(torch.__trapezoids(y, x, dx, dim), dim)

def trapezoid(y, x=None, dx=1, dim: int=-1):
  return torch.sum(torch.__trapezoids(y, x, dx, dim), [dim])

def __trapezoids(y, x, dx, dim: int):
  count = torch.size(y, dim)
  heights = torch.slice(y, dim, 0, count - 1) + torch.slice(y, dim, 1, count)
  if x is None:
    return heights * dx * 0.5
  width = torch.diff(x) if torch.dim(x) == 1 else torch.diff(x, 1, dim)
  if torch.dim(x) == 1 and torch.dim(y) > 1:
    shape = [1] * torch.dim(y)
    shape[dim] = -1
    width = torch.reshape(width, shape)
  return heights * width * 0.5

def histc(self, bins: int=100, min=0, max=0):
  x = torch.reshape(self, [-1])
  low = torch.amin(x) if min == max else torch.tensor(min, dtype=6)
  high = torch.amax(x) if min == max else torch.tensor(max, dtype=6)
  bin = torch.floor((x - low) / (high - low) * bins)
  bin = torch.where(torch.eq(x, high), bins - 1., bin)
  hits = torch.eq(torch.unsqueeze(bin, 1), torch.unsqueeze(torch.arange(bins), 0))
  within = torch.logical_and(torch.ge(x, low), torch.le(x, high))
  return torch.sum(torch.to(torch.logical_and(hits, torch.unsqueeze(within, 1)), torch.dtype(x)), [0])

# Of values as frequent as others the lowest one, and where the last of it is.
def mode(self, dim: int=-1, keepdim: bool=False):
  if torch.dim(self) == 0:
    return (self, torch.zeros_like(self, dtype=4))
  x = torch.movedim(self, dim, -1)
  values, _0, = torch.sort(x, -1)
  hits = torch.eq(torch.unsqueeze(values, -1), torch.unsqueeze(values, -2))
  first = torch.argmax(torch.sum(torch.to(hits, 4), [-1]), -1, True)
  value = torch.gather(values, -1, first)
  at = torch.where(torch.eq(x, value), torch.arange(torch.size(x, -1)), -1)
  index = torch.amax(at, [-1], True)
  if keepdim:
    return (torch.movedim(value, -1, dim), torch.movedim(index, -1, dim))
  return (torch.squeeze(value, -1), torch.squeeze(index, -1))

def nanmedian(self, dim=None, keepdim: bool=False):
  x = torch.reshape(self, [-1]) if dim is None else self
  at = 0 if dim is None else dim
  if not torch.is_floating_point(x):
    return torch.median(x) if dim is None else torch.median(x, at, keepdim)
  is_nan = torch.isnan(x)
  values, order, = torch.sort(torch.where(is_nan, inf, x), at)
  count = torch.sum(torch.to(torch.logical_not(is_nan), 4), [at], True)
  middle = torch.clamp_min(torch.floor_divide(count - 1, 2), 0)
  value = torch.gather(values, at, middle)
  value = torch.where(torch.eq(count, 0), nan, value)
  index = torch.gather(order, at, middle)
  if dim is None:
    return torch.squeeze(value, 0)
  if keepdim:
    return (value, index)
  return (torch.squeeze(value, at), torch.squeeze(index, at))

def segment_reduce(data, reduce: str, lengths=None, indices=None, offsets=None, axis: int=0, unsafe: bool=False, initial=None):
  if offsets is None:
    ends = torch.cumsum(lengths, 0)
    starts = ends - lengths
  else:
    ends = torch.slice(offsets, 0, 1)
    starts = torch.slice(offsets, 0, 0, -1)
  at = torch.unsqueeze(torch.arange(torch.size(data, 0)), 0)
  inside = torch.logical_and(torch.ge(at, torch.unsqueeze(starts, 1)), torch.lt(at, torch.unsqueeze(ends, 1)))
  shape = torch.size(inside) + [1] * (torch.dim(data) - 1)
  mask = torch.reshape(inside, shape)
  rows = torch.unsqueeze(data, 0)
  if reduce == "max" or reduce == "amax":
    y = torch.amax(torch.where(mask, rows, -inf), [1])
    return y if initial is None else torch.clamp_min(y, initial)
  if reduce == "min" or reduce == "amin":
    y = torch.amin(torch.where(mask, rows, inf), [1])
    return y if initial is None else torch.clamp_max(y, initial)
  if reduce == "prod":
    y = torch.prod(torch.where(mask, rows, 1.), 1)
    return y if initial is None else y * initial
  y = torch.sum(torch.where(mask, rows, 0.), [1])
  if initial is not None:
    y = y + initial
  return y if reduce == "sum" else y / torch.sum(torch.to(mask, torch.dtype(y)), [1])
