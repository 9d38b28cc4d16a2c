# Fourier transforms. What scales them: 0 nothing, 1 the root of the number of elements, 2 that number.

def __scale(norm, forward: bool):
  if norm is None or norm == "backward":
    return 0 if forward else 2
  if norm == "ortho":
    return 1
  return 2 if forward else 0

# Cut or continued with zeros to n elements.
def __resized(x, n, dim: int):
  if n is None:
    return x
  size = torch.size(x, dim)
  if size == n:
    return x
  if size > n:
    return torch.slice(x, dim, 0, n)
  at = dim + torch.dim(x) if dim < 0 else dim
  return torch.constant_pad_nd(x, [0, 0] * (torch.dim(x) - 1 - at) + [0, n - size], 0)

def __all_resized(x, s, dims: List[int]):
  if s is not None:
    for i in range(torch.len(dims)):
      if s[i] != -1:
        x = torch.__resized(x, s[i], dims[i])
  return x

def __dims(x, s, dim):
  if dim is not None:
    return [dim] if isinstance(dim, int) else dim
  count = torch.dim(x) if s is None else torch.len(s)
  dims = annotate(List[int], [])
  for i in range(count):
    _0 = torch.append(dims, torch.dim(x) - count + i)
  return dims

def __as_complex(x):
  if torch.is_complex(x):
    return x
  y = x if torch.is_floating_point(x) else torch.to(x, 6)
  return torch.complex(y, torch.zeros_like(y))

def fft_fft(self, n=None, dim: int=-1, norm=None):
  return torch.fft_fftn(self, None if n is None else [n], [dim], norm)

def fft_ifft(self, n=None, dim: int=-1, norm=None):
  return torch.fft_ifftn(self, None if n is None else [n], [dim], norm)

def fft_fft2(self, s=None, dim: List[int]=[-2, -1], norm=None):
  return torch.fft_fftn(self, s, dim, norm)

def fft_ifft2(self, s=None, dim: List[int]=[-2, -1], norm=None):
  return torch.fft_ifftn(self, s, dim, norm)

def fft_fftn(self, s=None, dim=None, norm=None):
  dims = torch.__dims(self, s, dim)
  x = torch.__all_resized(self, s, dims)
  if torch.is_complex(x):
    return torch._fft_c2c(x, dims, torch.__scale(norm, True), True)
  return torch._fft_r2c(x, dims, torch.__scale(norm, True), False)

def fft_ifftn(self, s=None, dim=None, norm=None):
  dims = torch.__dims(self, s, dim)
  x = torch.__all_resized(torch.__as_complex(self), s, dims)
  return torch._fft_c2c(x, dims, torch.__scale(norm, False), False)

def fft_rfft(self, n=None, dim: int=-1, norm=None):
  return torch.fft_rfftn(self, None if n is None else [n], [dim], norm)

def fft_irfft(self, n=None, dim: int=-1, norm=None):
  return torch.fft_irfftn(self, None if n is None else [n], [dim], norm)

def fft_rfft2(self, s=None, dim: List[int]=[-2, -1], norm=None):
  return torch.fft_rfftn(self, s, dim, norm)

def fft_irfft2(self, s=None, dim: List[int]=[-2, -1], norm=None):
  return torch.fft_irfftn(self, s, dim, norm)

def fft_rfftn(self, s=None, dim=None, norm=None):
  dims = torch.__dims(self, s, dim)
  return torch._fft_r2c(torch.__all_resized(self, s, dims), dims, torch.__scale(norm, True), True)

def fft_irfftn(self, s=None, dim=None, norm=None):
  dims = torch.__dims(self, s, dim)
  x = torch.__as_complex(self)
  last = dims[-1]
  length = 2 * (torch.size(x, last) - 1)
  if s is not None and s[-1] != -1:
    length = s[-1]
    x = torch.__all_resized(x, torch.slice(s, 0, -1), torch.slice(dims, 0, -1))
  x = torch.__resized(x, length // 2 + 1, last)
  return torch._fft_c2r(x, dims, torch.__scale(norm, False), length)

def fft_hfft(self, n=None, dim: int=-1, norm=None):
  x = torch.__as_complex(self)
  length = 2 * (torch.size(x, dim) - 1) if n is None else n
  x = torch.conj(torch.__resized(x, length // 2 + 1, dim))
  return torch._fft_c2r(x, [dim], torch.__scale(norm, True), length)

def fft_ihfft(self, n=None, dim: int=-1, norm=None):
  x = torch.__resized(self, n, dim)
  return torch.conj(torch._fft_r2c(x, [dim], torch.__scale(norm, False), True))

def fft_fftfreq(n: int, d: float=1., dtype=None, layout=None, device=None, pin_memory=None):
  at = torch.cat([torch.arange((n - 1) // 2 + 1), torch.arange(-(n // 2), 0)])
  return torch.to(at, 6 if dtype is None else dtype) * (1. / (n * d))

def fft_rfftfreq(n: int, d: float=1., dtype=None, layout=None, device=None, pin_memory=None):
  return torch.to(torch.arange(n // 2 + 1), 6 if dtype is None else dtype) * (1. / (n * d))

def fft_fftshift(self, dim=None):
  dims = torch.__dims(self, None, dim)
  shifts = annotate(List[int], [])
  for at in dims:
    _0 = torch.append(shifts, torch.size(self, at) // 2)
  return torch.roll(self, shifts, dims)

def fft_ifftshift(self, dim=None):
  dims = torch.__dims(self, None, dim)
  shifts = annotate(List[int], [])
  for at in dims:
    _0 = torch.append(shifts, (torch.size(self, at) + 1) // 2)
  return torch.roll(self, shifts, dims)

def istft(self, n_fft: int, hop_length=None, win_length=None, window=None, center: bool=True, normalized: bool=False, onesided=None, length=None, return_complex: bool=False):
  x = self if torch.is_complex(self) else torch.view_as_complex(self)
  batch = torch.slice(torch.size(x), 0, -2)
  frames = torch.size(x, -1)
  hop = n_fft // 4 if hop_length is None else hop_length
  width = n_fft if win_length is None else win_length
  one_sided = torch.size(x, -2) != n_fft if onesided is None else onesided
  shape = torch.__window(window, n_fft, width)
  scale = 1 if normalized else 2
  # Only one half is read.
  half = x if one_sided else torch.slice(x, -2, 0, n_fft // 2 + 1)
  signal = torch._fft_c2r(half, [torch.dim(x) - 2], scale, n_fft)
  signal = torch.reshape(signal, [-1, n_fft, frames]) * torch.unsqueeze(shape, 1)
  total = n_fft + hop * (frames - 1)
  sums = torch.col2im(signal, [1, total], [1, n_fft], [1, 1], [0, 0], [1, hop])
  squares = torch.expand(torch.reshape(shape * shape, [1, n_fft, 1]), [1, n_fft, frames])
  weights = torch.col2im(squares, [1, total], [1, n_fft], [1, 1], [0, 0], [1, hop])
  start = n_fft // 2 if center else 0
  end = total - start if center else total
  if length is not None:
    end = start + length
  wave = torch.slice(sums / torch.where(torch.gt(weights, 9.9999999999999994e-12), weights, 1.), -1, start, ops.prim.min(end, total))
  if end > total:
    wave = torch.constant_pad_nd(wave, [0, end - total], 0)
  return torch.reshape(wave, batch + [end - start])

# Shorter windows stand in the middle.
def __window(window, n_fft: int, width: int):
  shape = torch.ones([width]) if window is None else window
  before = (n_fft - width) // 2
  return shape if width == n_fft else torch.constant_pad_nd(shape, [before, n_fft - width - before], 0)

def polar(abs, angle):
  return torch.complex(abs * torch.cos(angle), abs * torch.sin(angle))

def angle(self):
  x = self if torch.is_floating_point(self) else torch.to(self, 6)
  y = torch.where(torch.lt(x, 0), 3.1415926535897931, torch.zeros_like(x))
  return torch.where(torch.isnan(x), x, y)
