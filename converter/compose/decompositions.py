# Matrices taken apart: elimination, Cholesky's and QR decompositions, rotations by Jacobi. Their sizes are
# fixed, and small in networks: each column is a group of nodes.

def __check_side(n: int):
  if n > 64:
    ops.micrort.refuse("a matrix of more than 64 rows")
  return n

# Gauss and Jordan: `rest` is [A, B]; rows are chosen by their pivots, and put in order at the end.
def __eliminated(A, B):
  n = torch.__check_side(torch.size(A, -1))
  rest = torch.cat([A, B], -1)
  rows = torch.unsqueeze(torch.arange(n), 1)
  taken = torch.zeros_like(torch.slice(A, -1, 0, 1))
  order = annotate(List[Tensor], [])
  for k in range(n):
    column = torch.slice(rest, -1, k, k + 1)
    open = torch.where(torch.eq(taken, 0), torch.abs(column), -1.)
    chosen = torch.argmax(open, -2, True)
    mask = torch.eq(rows, chosen)
    row = torch.sum(torch.where(mask, rest, 0.), [-2], True)
    scaled = row / torch.slice(row, -1, k, k + 1)
    rest = torch.where(mask, scaled, rest - column * scaled)
    taken = torch.where(mask, 1., taken)
    _0 = torch.append(order, chosen)
  solution = torch.slice(rest, -1, n)
  return torch.gather(solution, -2, torch.expand(torch.cat(order, -2), torch.size(solution)))

def linalg_inv(A):
  identity = torch.expand(torch.eye(torch.size(A, -1)), torch.size(A))
  return torch.__eliminated(A, identity)

def linalg_inv_ex(A, check_errors: bool=False):
  return (torch.linalg_inv(A), torch.zeros(torch.slice(torch.size(A), 0, -2), dtype=3))

def linalg_solve(A, B, left: bool=True):
  if not left:
    return torch.adjoint(torch.linalg_solve(torch.adjoint(A), torch.adjoint(B)))
  is_vector = torch.dim(B) == 1 or torch.dim(B) == torch.dim(A) - 1 and torch.size(B) == torch.slice(torch.size(A), 0, -1)
  columns = torch.unsqueeze(B, -1) if is_vector else B
  batch = torch.slice(torch.size(columns), 0, -2)
  of_a = torch.slice(torch.size(A), 0, -2)
  if torch.len(of_a) > torch.len(batch):
    columns = torch.expand(columns, of_a + torch.slice(torch.size(columns), -2))
  elif torch.len(batch) > torch.len(of_a):
    A = torch.expand(A, batch + torch.slice(torch.size(A), -2))
  y = torch.__eliminated(A, columns)
  return torch.squeeze(y, -1) if is_vector else y

def linalg_solve_ex(A, B, left: bool=True, check_errors: bool=False):
  return (torch.linalg_solve(A, B, left=left), torch.zeros(torch.slice(torch.size(A), 0, -2), dtype=3))

def _linalg_solve_ex(A, B, left: bool=True, check_errors: bool=False):
  info = torch.zeros(torch.slice(torch.size(A), 0, -2), dtype=3)
  return (torch.linalg_solve(A, B, left=left), A, info, info)

def linalg_slogdet(A):
  sign, logs, _0, _1, = torch._linalg_slogdet(A)
  return (sign, logs)

# Gauss without swaps: eliminating the row of a pivot with itself leaves exact zeros there, so that it is not chosen
# again unless all that is left is zero. The pivots [...,n], and 1 or -1 for the order of their rows [...,n].
def __pivots(A):
  n = torch.__check_side(torch.size(A, -1))
  rest = A
  rows = torch.unsqueeze(torch.arange(n), 1)
  order = annotate(List[Tensor], [])
  pivots = annotate(List[Tensor], [])
  for k in range(n):
    column = torch.slice(rest, -1, 0, 1)
    chosen = torch.argmax(torch.abs(column), -2, True)
    row = torch.sum(torch.where(torch.eq(chosen, rows), rest, 0.), [-2], True)
    pivot = torch.slice(row, -1, 0, 1)
    _0 = torch.append(order, chosen)
    _1 = torch.append(pivots, pivot)
    if k + 1 < n:
      factors = column / torch.where(torch.eq(pivot, 0.), 1., pivot)
      rest = torch.slice(rest, -1, 1) - factors * torch.slice(row, -1, 1)
  return (torch.squeeze(torch.cat(pivots, -1), -2), torch.cat(order, -1))

# -1 for every pair of rows that were chosen in falling order.
def __parity(order, like):
  n = torch.size(order, -1)
  at = torch.to(order, torch.dtype(like))
  pairs = torch.sign(at - torch.transpose(at, -2, -1))
  later = torch.triu(torch.ones([n, n], dtype=11), 1)
  return torch.prod(torch.flatten(torch.where(later, pairs, 1.), -2), -1)

def __determinant(A):
  pivots, order, = torch.__pivots(A)
  return torch.prod(pivots, -1) * torch.__parity(order, A)

def _linalg_slogdet(A):
  pivots, order, = torch.__pivots(A)
  sign = torch.prod(torch.sign(pivots), -1) * torch.__parity(order, A)
  return (sign, torch.sum(torch.log(torch.abs(pivots)), [-1]), A, torch.transpose(order, -2, -1))

def logdet(self):
  sign, logs, = torch.linalg_slogdet(self)
  return torch.where(torch.lt(sign, 0), nan, logs)

def linalg_cholesky(self, upper: bool=False):
  n = torch.__check_side(torch.size(self, -1))
  rest = self
  rows = torch.unsqueeze(torch.arange(n), 1)
  columns = annotate(List[Tensor], [])
  for k in range(n):
    column = torch.slice(rest, -1, k, k + 1)
    pivot = torch.slice(column, -2, k, k + 1)
    factor = torch.where(torch.ge(rows, k), column / torch.sqrt(pivot), 0.)
    rest = rest - factor * torch.transpose(factor, -2, -1)
    _0 = torch.append(columns, factor)
  lower = torch.cat(columns, -1)
  return torch.transpose(lower, -2, -1) if upper else lower

def linalg_cholesky_ex(self, upper: bool=False, check_errors: bool=False):
  info = torch.zeros(torch.slice(torch.size(self), 0, -2), dtype=3)
  return (torch.linalg_cholesky(self, upper=upper), info)

def cholesky(self, upper: bool=False):
  return torch.linalg_cholesky(self, upper=upper)

def cholesky_solve(self, input2, upper: bool=False):
  lower = torch.transpose(input2, -2, -1) if upper else input2
  half = torch.linalg_solve_triangular(lower, self, upper=False)
  return torch.linalg_solve_triangular(torch.transpose(lower, -2, -1), half, upper=True)

def cholesky_inverse(self, upper: bool=False):
  return torch.cholesky_solve(torch.eye(torch.size(self, -1)), self, upper)

def linalg_solve_triangular(self, B, upper: bool, left: bool=True, unitriangular: bool=False):
  if not left:
    turned = torch.linalg_solve_triangular(torch.transpose(self, -2, -1), torch.transpose(B, -2, -1), upper=not upper, unitriangular=unitriangular)
    return torch.transpose(turned, -2, -1)
  n = torch.__check_side(torch.size(self, -1))
  solved = annotate(List[Tensor], [])
  for i in range(n):
    k = n - 1 - i if upper else i
    y = torch.slice(B, -2, k, k + 1)
    row = torch.slice(self, -2, k, k + 1)
    if i > 0:
      others = torch.slice(row, -1, k + 1, n) if upper else torch.slice(row, -1, 0, k)
      y = y - torch.matmul(others, solved[0] if i == 1 else torch.cat(solved, -2))
    if not unitriangular:
      y = y / torch.slice(row, -1, k, k + 1)
    if upper:
      torch.insert(solved, 0, y)
    else:
      _0 = torch.append(solved, y)
  return torch.cat(solved, -2)

def triangular_solve(self, A, upper: bool=True, transpose: bool=False, unitriangular: bool=False):
  turned = torch.transpose(A, -2, -1) if transpose else A
  is_upper = not upper if transpose else upper
  return (torch.linalg_solve_triangular(turned, self, upper=is_upper, unitriangular=unitriangular), A)

# Householder's reflections, whose signs are those of LAPACK.
def linalg_qr(A, mode: str="reduced"):
  rows = torch.__check_side(torch.size(A, -2))
  columns = torch.__check_side(torch.size(A, -1))
  R = A
  batch = torch.slice(torch.size(A), 0, -2)
  Q = torch.expand(torch.eye(rows), batch + [rows, rows])
  at = torch.unsqueeze(torch.arange(rows), 1)
  for k in range(ops.prim.min(rows - 1, columns)):
    x = torch.where(torch.ge(at, k), torch.slice(R, -1, k, k + 1), 0.)
    length = torch.linalg_vector_norm(x, 2, [-2], True)
    first = torch.slice(x, -2, k, k + 1)
    sign = torch.where(torch.lt(first, 0), -1., 1.)
    v = torch.where(torch.eq(at, k), x + sign * length, x)
    square = torch.sum(v * v, [-2], True)
    scale = torch.where(torch.eq(square, 0), 0., 2. / torch.where(torch.eq(square, 0), 1., square))
    turned = torch.transpose(v, -2, -1)
    R = R - v * scale * torch.matmul(turned, R)
    Q = Q - torch.matmul(Q, v) * scale * turned
  R = torch.triu(R)
  if mode == "complete":
    return (Q, R)
  short = ops.prim.min(rows, columns)
  return (torch.slice(Q, -1, 0, short), torch.slice(R, -2, 0, short))

def qr(self, some: bool=True):
  return torch.linalg_qr(self, "reduced" if some else "complete")

# Jacobi's rotations of pairs of columns until they are orthogonal: A V = U S.
def __rotated(A, n: int):
  rest = A
  batch = torch.slice(torch.size(A), 0, -2)
  V = torch.expand(torch.eye(n), batch + [n, n])
  for sweep in range(6):
    for p in range(n - 1):
      for q in range(p + 1, n):
        first = torch.slice(rest, -1, p, p + 1)
        second = torch.slice(rest, -1, q, q + 1)
        product = torch.sum(first * second, [-2], True)
        difference = torch.sum(second * second, [-2], True) - torch.sum(first * first, [-2], True)
        none = torch.eq(product, 0)
        zeta = difference / (torch.where(none, 1., product) * 2.)
        sign = torch.where(torch.lt(zeta, 0), -1., 1.)
        tangent = sign / (torch.abs(zeta) + torch.hypot(zeta, torch.ones_like(zeta)))
        tangent = torch.where(none, 0., tangent)
        cosine = torch.rsqrt(tangent * tangent + 1.)
        sine = cosine * tangent
        rest = torch.__turned(rest, p, q, n, cosine, sine)
        V = torch.__turned(V, p, q, n, cosine, sine)
  return (rest, V)

def __turned(x, p: int, q: int, n: int, cosine, sine):
  first = torch.slice(x, -1, p, p + 1)
  second = torch.slice(x, -1, q, q + 1)
  parts = [torch.slice(x, -1, 0, p), first * cosine - second * sine, torch.slice(x, -1, p + 1, q), first * sine + second * cosine, torch.slice(x, -1, q + 1, n)]
  kept = annotate(List[Tensor], [])
  for part in parts:
    if torch.size(part, -1) > 0:
      _0 = torch.append(kept, part)
  return torch.cat(kept, -1)

def __sorted_columns(x, order):
  return torch.gather(x, -1, torch.expand(order, torch.size(x)))

def __check_small(n: int):
  if n > 8:
    ops.micrort.refuse("singular values of a matrix whose sides are both longer than 8")
  return n

def linalg_svd(A, full_matrices: bool=True, driver=None):
  rows = torch.size(A, -2)
  columns = torch.size(A, -1)
  if rows < columns:
    U, S, Vh, = torch.linalg_svd(torch.transpose(A, -2, -1), full_matrices)
    return (torch.transpose(Vh, -2, -1), S, torch.transpose(U, -2, -1))
  if full_matrices and rows > columns:
    ops.micrort.refuse("full_matrices of a matrix that is not square")
  rest, V, = torch.__rotated(A, torch.__check_small(columns))
  values = torch.linalg_vector_norm(rest, 2, [-2], True)
  S, order, = torch.sort(values, -1, True)
  U = torch.__sorted_columns(rest, order) / torch.where(torch.eq(S, 0), 1., S)
  return (U, torch.squeeze(S, -2), torch.transpose(torch.__sorted_columns(V, order), -2, -1))

def linalg_svdvals(A, driver=None):
  U, S, Vh, = torch.linalg_svd(A, False)
  return S

def svd(self, some: bool=True, compute_uv: bool=True):
  U, S, Vh, = torch.linalg_svd(self, not some)
  return (U, S, torch.transpose(Vh, -2, -1))

def _linalg_svd(A, full_matrices: bool=False, compute_uv: bool=True, driver=None):
  return torch.linalg_svd(A, full_matrices)

# The symmetric matrix of which `self` states one half.
def __mirrored(self, UPLO: str):
  half = torch.tril(self, -1) if UPLO == "L" else torch.triu(self, 1)
  return half + torch.transpose(half, -2, -1) + torch.diag_embed(torch.diagonal(self, 0, -2, -1))

# Symmetric matrices: with their least eigenvalue's bound added they have no negative ones, and singular
# values are eigenvalues.
def linalg_eigh(self, UPLO: str="L"):
  n = torch.__check_small(torch.size(self, -1))
  A = torch.__mirrored(self, UPLO)
  shift = torch.amax(torch.sum(torch.abs(A), [-1], True), [-2], True)
  rest, V, = torch.__rotated(A + torch.eye(n) * shift, n)
  values = torch.sum(V * torch.matmul(A, V), [-2], True)
  L, order, = torch.sort(values, -1, False)
  return (torch.squeeze(L, -2), torch.__sorted_columns(V, order))

def _linalg_eigh(A, UPLO: str="L", compute_v: bool=True):
  return torch.linalg_eigh(A, UPLO)

def linalg_eigvalsh(self, UPLO: str="L"):
  L, V, = torch.linalg_eigh(self, UPLO)
  return L

def linalg_pinv(self, rcond=None, hermitian: bool=False, atol=None, rtol=None):
  U, S, Vh, = torch.linalg_svd(torch.__mirrored(self, "L") if hermitian else self, False)
  largest = torch.amax(S, [-1], True)
  relative = rtol
  if relative is None:
    relative = rcond if rcond is not None else ops.prim.max(torch.size(self, -1), torch.size(self, -2)) * 1.1920928955078125e-07
  least = largest * relative
  if atol is not None:
    least = torch.clamp_min(least, atol)
  inverse = torch.where(torch.gt(S, least), 1. / torch.where(torch.eq(S, 0), 1., S), 0.)
  return torch.matmul(torch.transpose(Vh, -2, -1) * torch.unsqueeze(inverse, -2), torch.transpose(U, -2, -1))

def pinverse(self, rcond: float=1.0000000000000001e-15):
  return torch.linalg_pinv(self, rcond)
