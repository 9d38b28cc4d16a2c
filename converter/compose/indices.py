# Positions, combinations, and changes at positions.

def _dim_arange(like, dim: int):
  return torch.arange(torch.size(like, dim))

def argwhere(self):
  return torch.nonzero(self)

def as_strided_scatter(self, src, size: List[int], stride: List[int], storage_offset=None):
  return torch.put(self, torch.__positions(size, stride, storage_offset), src)

def __positions(size: List[int], stride: List[int], storage_offset):
  at = torch.full([1] * torch.len(size), 0 if storage_offset is None else storage_offset, dtype=4)
  for i in range(torch.len(size)):
    shape = [1] * torch.len(size)
    shape[i] = size[i]
    at = at + torch.reshape(torch.arange(size[i]) * stride[i], shape)
  return at

def bincount(self, weights=None, minlength: int=0):
  values = torch.arange(torch.maximum(torch.amax(self) + 1, torch.tensor(minlength)))
  hits = torch.eq(torch.unsqueeze(self, 1), torch.unsqueeze(values, 0))
  if weights is None:
    return torch.sum(torch.to(hits, 4), [0])
  dtype = 6 if torch.dtype(weights) == 6 else 7
  return torch.sum(torch.to(hits, dtype) * torch.unsqueeze(torch.to(weights, dtype), 1), [0])

def cartesian_prod(tensors: List[Tensor]):
  if torch.len(tensors) == 1:
    return tensors[0]
  grids = annotate(List[Tensor], [])
  for grid in torch.meshgrid(tensors):
    _0 = torch.append(grids, torch.flatten(grid))
  return torch.stack(grids, 1)

def combinations(self, r: int=2, with_replacement: bool=False):
  n = torch.size(self, 0)
  if r == 1:
    return torch.unsqueeze(self, 1)
  rows = annotate(List[List[int]], [[]])
  for i in range(r):
    longer = annotate(List[List[int]], [])
    for row in rows:
      first = 0
      if torch.len(row) > 0:
        first = row[-1] if with_replacement else row[-1] + 1
      for k in range(first, n):
        _0 = torch.append(longer, row + [k])
    rows = longer
  return torch.take(self, torch.reshape(torch.tensor(rows, dtype=4), [torch.len(rows), r]))

def fill_diagonal(self, fill_value, wrap: bool=False):
  shape = torch.size(self)
  columns = shape[-1]
  if torch.dim(self) > 2:
    mask = torch.__equal_indices(shape)
  elif wrap:
    mask = torch.eq(torch.remainder(torch.arange(shape[0] * columns), columns + 1), 0)
    mask = torch.reshape(mask, shape)
  else:
    mask = torch.__equal_indices(shape)
  return torch.masked_fill(self, mask, fill_value)

# Where all indices are the same.
def __equal_indices(shape: List[int]):
  mask = torch.ones([1] * torch.len(shape), dtype=11)
  for i in range(1, torch.len(shape)):
    one = [1] * torch.len(shape)
    one[i] = shape[i]
    first = [1] * torch.len(shape)
    first[0] = shape[0]
    same = torch.eq(torch.reshape(torch.arange(shape[i]), one), torch.reshape(torch.arange(shape[0]), first))
    mask = torch.logical_and(mask, same)
  return mask

def diagonal_scatter(self, src, offset: int=0, dim1: int=0, dim2: int=1):
  rows = torch.size(self, dim1)
  columns = torch.size(self, dim2)
  moved = torch.movedim(self, [dim1, dim2], [-2, -1])
  below = -offset if offset < 0 else 0
  right = offset if offset > 0 else 0
  square = torch.diag_embed(src, offset)
  wanted = torch.constant_pad_nd(square, [0, columns - torch.size(square, -1), 0, rows - torch.size(square, -2)], 0)
  at_row = torch.unsqueeze(torch.arange(rows), 1) + offset
  mask = torch.eq(at_row, torch.unsqueeze(torch.arange(columns), 0))
  return torch.movedim(torch.where(mask, wanted, moved), [-2, -1], [dim1, dim2])

def index_reduce(self, dim: int, index, source, reduce: str, include_self: bool=True):
  shape = [1] * torch.dim(source)
  shape[dim] = -1
  index = torch.expand(torch.reshape(index, shape), torch.size(source))
  return torch.scatter_reduce(self, dim, index, source, reduce, include_self=include_self)

def max_unpool3d(self, indices, output_size: List[int], stride: List[int], padding: List[int]):
  rank = torch.dim(self)
  kept = annotate(List[int], [])
  for i in range(rank - 3):
    _0 = torch.append(kept, torch.size(self, i))
  elements = output_size[0] * output_size[1] * output_size[2]
  empty = torch.zeros(kept + [elements], dtype=torch.dtype(self))
  flat = torch.scatter(empty, rank - 3, torch.flatten(indices, rank - 3), torch.flatten(self, rank - 3))
  return torch.reshape(flat, kept + output_size)

def nonzero_numpy(self):
  return torch.unbind(torch.nonzero(self), 1)

def put(self, index, source, accumulate: bool=False):
  flat = torch.reshape(self, [-1])
  at = torch.reshape(index, [-1])
  y = torch.index_put(flat, [at], torch.reshape(source, [-1]), accumulate)
  return torch.reshape(y, torch.size(self))

def unique_dim_consecutive(self, dim: int, return_inverse: bool=False, return_counts: bool=False):
  return torch.unique_consecutive(self, return_inverse, return_counts, dim)
