# Functions around Euler's gamma function. Series and fractions run until no element changes any more.

def igamma(self, other):
  return torch.__incomplete_gamma(self, other, False)

def igammac(self, other):
  return torch.__incomplete_gamma(self, other, True)

# The share of the integral of t^(a-1) exp(-t) under x, or above: by a series where x is small, by a continued
# fraction elsewhere. Each gets arguments that are at their end at once where the other one is taken.
def __incomplete_gamma(order, bound, upper: bool):
  is_zero = torch.logical_and(torch.eq(order, 0.), torch.eq(bound, 0.))
  is_within = torch.logical_and(torch.ge(order, 0.), torch.ge(bound, 0.))
  is_within = torch.logical_and(is_within, torch.logical_not(is_zero))
  a = torch.where(is_within, order, 1.)
  x = torch.where(is_within, bound, 1.)
  is_low = torch.logical_or(torch.le(x, 1.), torch.le(x, a))
  scale = torch.exp(a * torch.log(x) - x - torch.lgamma(a))
  below = torch.__gamma_series(a, torch.where(is_low, x, 0.)) * scale
  above = torch.__gamma_fraction(a, torch.where(is_low, a + 100., x)) * scale
  at_end = torch.logical_or(torch.eq(a, 0.), torch.eq(x, inf))
  if upper:
    y = torch.where(at_end, 0., torch.where(is_low, 1. - below, above))
  else:
    y = torch.where(at_end, 1., torch.where(is_low, below, 1. - above))
  return torch.where(is_within, y, nan)

def __gamma_series(a, x):
  r = a + torch.zeros_like(x)
  term = torch.reciprocal(r)
  total = term
  _0 = True
  while _0:
    r = r + 1.
    term = term * x / r
    total = total + term
    _0 = bool(torch.any(torch.gt(term, total * 5.0e-08)))
  return total

# Lentz's method.
def __gamma_fraction(a, x):
  b = x + 1. - a
  d = torch.reciprocal(b)
  c = torch.full_like(b, 1.0e+30)
  y = d
  i = torch.zeros_like(b)
  _0 = True
  while _0:
    i = i + 1.
    part = i * (a - i)
    b = b + 2.
    d = torch.reciprocal(torch.__not_zero(part * d + b))
    c = torch.__not_zero(part / c + b)
    change = c * d
    y = y * change
    _0 = bool(torch.any(torch.__is_changing(change, i)))
  return y

def __not_zero(x):
  return torch.where(torch.lt(torch.abs(x), 1.0e-30), 1.0e-30, x)

def __is_changing(factor, i):
  return torch.logical_and(torch.gt(torch.abs(factor - 1.), 2.5e-07), torch.lt(i, 2000.))

# The regularized incomplete beta function, by a continued fraction on the side where it ends soon.
def __betainc(a, b, x):
  is_turned = torch.gt(x, (a + 1.) / (a + b + 2.))
  p = torch.where(is_turned, b, a)
  q = torch.where(is_turned, a, b)
  z = torch.where(is_turned, 1. - x, x)
  logs = torch.xlogy(p, z) + torch.xlogy(q, 1. - z)
  scale = torch.exp(torch.lgamma(p + q) - torch.lgamma(p) - torch.lgamma(q) + logs)
  y = scale * torch.__beta_fraction(p, q, z) / p
  return torch.where(is_turned, 1. - y, y)

def __beta_fraction(a, b, x):
  c = torch.ones_like(a + b + x)
  d = torch.reciprocal(torch.__not_zero(c - (a + b) * x / (a + 1.)))
  y = d
  m = torch.zeros_like(c)
  _0 = True
  while _0:
    m = m + 1.
    even = m * (b - m) * x / ((a + m * 2. - 1.) * (a + m * 2.))
    d = torch.reciprocal(torch.__not_zero(even * d + 1.))
    c = torch.__not_zero(even / c + 1.)
    y = y * c * d
    odd = torch.neg((a + m) * (a + b + m) * x / ((a + m * 2.) * (a + m * 2. + 1.)))
    d = torch.reciprocal(torch.__not_zero(odd * d + 1.))
    c = torch.__not_zero(odd / c + 1.)
    change = c * d
    y = y * change
    _0 = bool(torch.any(torch.__is_changing(change, m)))
  return y

# Hurwitz' zeta function: nine terms of its sum, more below zero, and the Euler-Maclaurin formula for the rest.
def special_zeta(self, other):
  x = self
  pole = torch.logical_or(torch.eq(x, 1.), torch.logical_and(torch.le(other, 0.), torch.eq(other, torch.floor(other))))
  w = torch.where(pole, 1., other)
  y = torch.pow(w, torch.neg(x))
  for k in range(9):
    w = w + 1.
    y = y + torch.pow(w, torch.neg(x))
  _0 = bool(torch.any(torch.le(w, 9.)))
  while _0:
    is_near = torch.le(w, 9.)
    w = torch.where(is_near, w + 1., w)
    y = torch.where(is_near, y + torch.pow(w, torch.neg(x)), y)
    _0 = bool(torch.any(torch.le(w, 9.)))
  power = torch.pow(w, torch.neg(x))
  y = y + power * w / (x - 1.) - power * 0.5
  factor = x * power / w
  y = y + factor / 12.
  divisors = [-720., 30240., -1209600., 47900160.]
  for k in range(4):
    factor = factor * (x + (2 * k + 1)) * (x + (2 * k + 2)) / (w * w)
    y = y + factor / divisors[k]
  y = torch.where(torch.lt(x, 1.), nan, y)
  return torch.where(pole, inf, y)

# Of a tensor of orders.
def __polygamma_of(n, x):
  factor = torch.exp(torch.lgamma(n + 1.))
  is_even = torch.eq(torch.remainder(n, 2.), 0.)
  y = torch.special_zeta(n + 1., x) * torch.where(is_even, torch.neg(factor), factor)
  return torch.where(torch.eq(n, 0.), torch.digamma(x), y)

def polygamma(n: int, self):
  if n == 0:
    return torch.digamma(self)
  factor = 1. if n % 2 == 1 else -1.
  for i in range(n):
    factor = factor * (i + 1)
  x = torch.__as_floats(self)
  return torch.special_zeta(torch.full_like(x, n + 1.), x) * factor
