# Norms and distances.

def _cdist_forward(x1, x2, p: float, compute_mode=None):
  return torch.cdist(x1, x2, p)

def _euclidean_dist(x1, x2):
  return torch.cdist(x1, x2, 2.)

def _pdist_forward(self, p: float=2.):
  return torch.pdist(self, p)

def dist(self, other, p=2):
  return torch.linalg_vector_norm(self - other, p)

def embedding_renorm(self, indices, max_norm: float, norm_type: float):
  rows = torch.reshape(indices, [-1])
  chosen = torch.index_select(self, 0, rows)
  return torch.index_copy(self, 0, rows, torch.__shortened(chosen, norm_type, [1], max_norm))

def linalg_matrix_norm(self, ord="fro", dim: List[int]=[-2, -1], keepdim: bool=False, dtype=None):
  x = self if dtype is None else torch.to(self, dtype)
  rank = torch.dim(x)
  first = dim[0] + rank if dim[0] < 0 else dim[0]
  second = dim[1] + rank if dim[1] < 0 else dim[1]
  if ord == "fro":
    return torch.linalg_vector_norm(x, 2, [first, second], keepdim)
  if ord == "nuc":
    return torch.__of_singular_values(x, "nuc", first, second, keepdim)
  if torch.abs(ord) == 2:
    return torch.__of_singular_values(x, "max" if ord > 0 else "min", first, second, keepdim)
  summed = first if torch.abs(ord) == 1 else second
  compared = second if torch.abs(ord) == 1 else first
  sums = torch.sum(torch.abs(x), [summed], True)
  y = torch.amax(sums, [compared], True) if ord > 0 else torch.amin(sums, [compared], True)
  if keepdim:
    return y
  return torch.squeeze(torch.squeeze(y, ops.prim.max(first, second)), ops.prim.min(first, second))

def __of_singular_values(x, kind: str, first: int, second: int, keepdim: bool):
  values = torch.linalg_svdvals(torch.movedim(x, [first, second], [-2, -1]))
  if kind == "nuc":
    y = torch.sum(values, [-1])
  else:
    y = torch.amax(values, [-1]) if kind == "max" else torch.amin(values, [-1])
  if keepdim:
    y = torch.unsqueeze(torch.unsqueeze(y, ops.prim.min(first, second)), ops.prim.max(first, second))
  return y

def linalg_norm(self, ord=None, dim=None, keepdim: bool=False, dtype=None):
  dims = [dim] if isinstance(dim, int) else dim
  if ord is None:
    return torch.linalg_vector_norm(self, 2, dims, keepdim, dtype)
  is_matrix = torch.dim(self) == 2 if dims is None else torch.len(dims) == 2
  if is_matrix:
    return torch.linalg_matrix_norm(self, ord, [-2, -1] if dims is None else dims, keepdim, dtype)
  return torch.linalg_vector_norm(self, ord, dims, keepdim, dtype)

def norm_except_dim(v, pow: int=2, dim: int=0):
  if dim == -1:
    return torch.norm(v, pow)
  dims = annotate(List[int], [])
  for i in range(torch.dim(v)):
    if i != dim:
      _0 = torch.append(dims, i)
  return torch.norm(v, pow, dims, True)

def nuclear_norm(self, dim: List[int]=[-2, -1], keepdim: bool=False):
  return torch.linalg_matrix_norm(self, "nuc", dim, keepdim)

def pdist(self, p: float=2.):
  n = torch.size(self, 0)
  pairs = torch.triu_indices(n, n, 1)
  first = torch.index_select(self, 0, torch.select(pairs, 0, 0))
  second = torch.index_select(self, 0, torch.select(pairs, 0, 1))
  return torch.linalg_vector_norm(first - second, p, [1])

def renorm(self, p, dim: int, maxnorm):
  dims = annotate(List[int], [])
  at = dim + torch.dim(self) if dim < 0 else dim
  for i in range(torch.dim(self)):
    if i != at:
      _0 = torch.append(dims, i)
  return torch.__shortened(self, p, dims, maxnorm)

def __shortened(x, p, dims: List[int], longest):
  length = torch.linalg_vector_norm(x, p, dims, True)
  factor = longest / (length + 9.9999999999999995e-08)
  return torch.where(torch.gt(length, longest), x * factor, x)
