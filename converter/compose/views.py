# Shapes.

def narrow_copy(self, dim: int, start: int, length: int):
  return torch.clone(torch.narrow(self, dim, start, length))

def _reshape_alias(self, size: List[int], stride: List[int]):
  return torch.reshape(self, size)

def atleast_1d(self):
  if not isinstance(self, Tensor):
    all = annotate(List[Tensor], [])
    for x in self:
      _0 = torch.append(all, torch.atleast_1d(x))
    return all
  return torch.unsqueeze(self, 0) if torch.dim(self) == 0 else self

def atleast_2d(self):
  if not isinstance(self, Tensor):
    all = annotate(List[Tensor], [])
    for x in self:
      _0 = torch.append(all, torch.atleast_2d(x))
    return all
  x = torch.atleast_1d(self)
  return torch.unsqueeze(x, 0) if torch.dim(x) == 1 else x

def atleast_3d(self):
  if not isinstance(self, Tensor):
    all = annotate(List[Tensor], [])
    for x in self:
      _0 = torch.append(all, torch.atleast_3d(x))
    return all
  x = torch.atleast_2d(self)
  return torch.unsqueeze(x, 2) if torch.dim(x) == 2 else x

def diagflat(self, offset: int=0):
  return torch.diag_embed(torch.reshape(self, [-1]), offset)

def empty_strided(size: List[int], stride: List[int], dtype=None, layout=None, device=None, pin_memory=None):
  return torch.zeros(size, dtype=dtype)

def flatten_dense_tensors(tensors: List[Tensor]):
  flat = annotate(List[Tensor], [])
  for x in tensors:
    _0 = torch.append(flat, torch.reshape(x, [-1]))
  return torch.cat(flat)

def msort(self):
  values, indices, = torch.sort(self, 0)
  return values

def new_empty_strided(self, size: List[int], stride: List[int], dtype=None, layout=None, device=None, pin_memory=None):
  return torch.new_zeros(self, size, dtype=dtype)

def pad_sequence(sequences: List[Tensor], batch_first: bool=False, padding_value: float=0.):
  longest = 0
  for x in sequences:
    longest = ops.prim.max(longest, torch.size(x, 0))
  padded = annotate(List[Tensor], [])
  for x in sequences:
    pads = [0, 0] * (torch.dim(x) - 1) + [0, longest - torch.size(x, 0)]
    _0 = torch.append(padded, torch.constant_pad_nd(x, pads, padding_value))
  return torch.stack(padded, 0 if batch_first else 1)

def resize_as(self, the_template, memory_format=None):
  return torch.resize(self, torch.size(the_template))

# More elements than there were are those of no tensor; they are 0 here.
def resize(self, size: List[int], memory_format=None):
  wanted = 1
  for n in size:
    wanted = wanted * n
  flat = torch.reshape(self, [-1])
  if wanted <= torch.numel(self):
    flat = torch.slice(flat, 0, 0, wanted)
  else:
    flat = torch.constant_pad_nd(flat, [0, wanted - torch.numel(self)], 0)
  return torch.reshape(flat, size)

def sum_to_size(self, size: List[int]):
  y = self
  while torch.dim(y) > torch.len(size):
    y = torch.sum(y, [0])
  dims = annotate(List[int], [])
  for i in range(torch.len(size)):
    if size[i] == 1 and torch.size(y, i) != 1:
      _0 = torch.append(dims, i)
  return y if torch.len(dims) == 0 else torch.sum(y, dims, True)
