# Products, powers and other functions of matrices.

def _trilinear(i1, i2, i3, expand1: List[int], expand2: List[int], expand3: List[int], sumdim: List[int], unroll_dim: int=1):
  a = torch.__unsqueezed(i1, expand1)
  b = torch.__unsqueezed(i2, expand2)
  c = torch.__unsqueezed(i3, expand3)
  product = a * b * c
  return product if torch.len(sumdim) == 0 else torch.sum(product, sumdim)

def __unsqueezed(x, dims: List[int]):
  for dim in dims:
    x = torch.unsqueeze(x, dim)
  return x

def conv_tbc(self, weight, bias, pad: int=0):
  x = torch.permute(self, [1, 2, 0])
  y = torch.conv1d(x, torch.permute(weight, [2, 1, 0]), bias, [1], [pad])
  return torch.permute(y, [2, 0, 1])

def conv_depthwise3d(self, weight, kernel_size: List[int], bias, stride: List[int], padding: List[int], dilation: List[int]):
  return torch.conv3d(self, weight, bias, stride, padding, dilation, torch.size(self, 1))

def _conv_depthwise2d(self, weight, kernel_size: List[int], bias, stride: List[int], padding: List[int], dilation: List[int]):
  return torch.conv2d(self, weight, bias, stride, padding, dilation, torch.size(self, 1))

def thnn_conv2d(self, weight, kernel_size: List[int], bias=None, stride: List[int]=[1, 1], padding: List[int]=[0, 0]):
  return torch.conv2d(self, weight, bias, stride, padding)

def linalg_matrix_exp(self):
  return torch.matrix_exp(self)

# exp(A) = exp(A / 2^s)^(2^s), with s for each matrix: squared only where it is needed.
def matrix_exp(self):
  norm = torch.amax(torch.sum(torch.abs(self), [-2], True), [-1], True)
  times = torch.clamp(torch.ceil(torch.log2(torch.clamp_min(norm, 0.5))) + 1., 0., 16.)
  A = self / torch.exp2(times)
  identity = torch.eye(torch.size(self, -1))
  y = identity + A * (1. / 10.)
  for i in range(9):
    y = identity + torch.matmul(A, y) * (1. / (9 - i))
  for i in range(16):
    y = torch.where(torch.gt(times, i), torch.matmul(y, y), y)
  return y

# Rows over, on and under the diagonal, [...,3,n]; of the first and last ones an element lies outside.
def __tridiagonal_solve(diagonals, rhs):
  n = torch.size(diagonals, -1)
  on = torch.diag_embed(torch.select(diagonals, -2, 1), 0)
  if n == 1:
    return rhs / on
  above = torch.diag_embed(torch.slice(torch.select(diagonals, -2, 0), -1, 0, n - 1), 1)
  below = torch.diag_embed(torch.slice(torch.select(diagonals, -2, 2), -1, 1, n), -1)
  return torch.linalg_solve(on + above + below, rhs)

def linalg_vander(x, N=None):
  count = torch.size(x, -1) if N is None else N
  return torch.pow(torch.unsqueeze(x, -1), torch.to(torch.arange(count), torch.dtype(x)))

def vander(x, N=None, increasing: bool=False):
  y = torch.linalg_vander(x, N)
  return y if increasing else torch.flip(y, [-1])

def linalg_vecdot(x, y, dim: int=-1):
  return torch.sum(x * y, [dim])

def vdot(self, other):
  return torch.dot(self, other)
