# Functions of one number and of two.

def _add_relu(self, other, alpha=1):
  return torch.relu(torch.add(self, other, alpha=alpha))

def float_power(self, exponent):
  base = torch.to(self, 7) if isinstance(self, Tensor) else self
  return torch.pow(base, torch.to(exponent, 7) if isinstance(exponent, Tensor) else exponent)

def frexp(self):
  magnitude = torch.abs(self)
  none = torch.logical_or(torch.eq(magnitude, 0), torch.logical_not(torch.isfinite(magnitude)))
  exponent = torch.floor(torch.log2(torch.where(none, 1., magnitude))) + 1.
  # What the logarithm was rounded to may be one off.
  mantissa = magnitude * torch.exp2(torch.neg(exponent))
  exponent = torch.where(torch.ge(mantissa, 1.), exponent + 1., exponent)
  exponent = torch.where(torch.lt(mantissa, 0.5), exponent - 1., exponent)
  exponent = torch.where(none, 0., exponent)
  half = torch.floor(exponent / 2.)
  mantissa = self / torch.pow(2., half) / torch.pow(2., exponent - half)
  return (mantissa, torch.to(exponent, 3))

def __as_floats(self):
  return self if torch.is_floating_point(self) else torch.to(self, 6)

def i0(self):
  x = torch.abs(torch.__as_floats(self))
  return torch.where(torch.le(x, 3.75), torch.__i0_near(x), torch.exp(x) * torch.__i0_far(x))

def special_i0e(self):
  x = torch.abs(torch.__as_floats(self))
  return torch.where(torch.le(x, 3.75), torch.exp(torch.neg(x)) * torch.__i0_near(x), torch.__i0_far(x))

# The power series, whose terms are all positive.
def __i0_near(x):
  quarter = torch.clamp_max(x, 3.75) * torch.clamp_max(x, 3.75) * 0.25
  y = torch.ones_like(x)
  for i in range(16):
    k = 16 - i
    y = y * quarter * (1. / (k * k)) + 1.
  return y

# exp(-x) times the function, by a polynomial in 3.75 / x.
def __i0_far(x):
  far = torch.clamp_min(x, 3.75)
  t = 3.75 / far
  y = torch.full_like(t, 0.00392377)
  for c in [-0.01647633, 0.02635537, -0.02057706, 0.00916281, -0.00157565, 0.00225319, 0.01328592, 0.39894228]:
    y = y * t + c
  return y / torch.sqrt(far)

def special_i1(self):
  x = torch.__as_floats(self)
  return torch.special_i1e(x) * torch.exp(torch.abs(x))

def special_i1e(self):
  x = torch.abs(torch.__as_floats(self))
  y = torch.where(torch.le(x, 3.75), torch.exp(torch.neg(x)) * torch.__i1_near(x), torch.__i1_far(x))
  return torch.where(torch.lt(self, 0), torch.neg(y), y)

def __i1_near(x):
  near = torch.clamp_max(x, 3.75)
  quarter = near * near * 0.25
  y = torch.ones_like(x)
  for i in range(16):
    k = 16 - i
    y = y * quarter * (1. / (k * (k + 1))) + 1.
  return y * near * 0.5

def __i1_far(x):
  far = torch.clamp_min(x, 3.75)
  t = 3.75 / far
  y = torch.full_like(t, -0.00420059)
  for c in [0.01787654, -0.02895312, 0.02282967, -0.01031555, 0.00163801, -0.00362018, -0.03988024, 0.39894228]:
    y = y * t + c
  return y / torch.sqrt(far)

def isneginf(self):
  return torch.eq(self, -inf)

def isposinf(self):
  return torch.eq(self, inf)

def isreal(self):
  return torch.to(torch.ones_like(self), 11)

def ldexp(self, other):
  return self * torch.pow(2., torch.to(other, 6) if isinstance(other, Tensor) else other)

def log_sigmoid_forward(self):
  return (torch.log_sigmoid(self), torch.exp(torch.neg(torch.abs(self))))

def logaddexp2(self, other):
  ln2 = 0.69314718055994529
  return torch.logaddexp(self * ln2, other * ln2) * (1. / ln2)

def logspace(start, end, steps: int, base: float=10., dtype=None, layout=None, device=None, pin_memory=None):
  y = torch.pow(base, torch.linspace(start, end, steps))
  return y if dtype is None else torch.to(y, dtype)

def mvlgamma(self, p: int):
  y = torch.lgamma(self)
  for i in range(1, p):
    y = y + torch.lgamma(self - i * 0.5)
  return y + p * (p - 1) * 0.25 * 1.1447298858494002

def range(start, end, step=1, dtype=None, layout=None, device=None, pin_memory=None):
  count = torch.floor((end - start) / step) + 1
  return torch.to(torch.add(torch.arange(count) * step, start), 6 if dtype is None else dtype)

def rrelu_with_noise(self, noise, lower=0.125, upper=0.33333333333333331, training: bool=False, generator=None):
  return torch.leaky_relu(self, (lower + upper) / 2)

def signbit(self):
  if torch.is_floating_point(self):
    return torch.logical_or(torch.lt(self, 0), torch.lt(torch.reciprocal(self), 0))
  return torch.lt(self, 0)

def special_entr(self):
  x = torch.__as_floats(self)
  return torch.where(torch.lt(x, 0), -inf, torch.neg(torch.xlogy(x, x)))

def special_erfcx(self):
  x = torch.__as_floats(self)
  # A continued fraction where 1 - erf(x) has lost its digits.
  far = torch.clamp_min(x, 1.5)
  y = far
  for i in range(24):
    y = far + (24 - i) * 0.5 / y
  return torch.where(torch.lt(x, 1.5), torch.exp(x * x) * torch.erfc(x), 0.56418958354775629 / y)

def special_log_ndtr(self):
  t = self * 0.70710678118654757
  near = torch.log(torch.erfc(torch.neg(torch.clamp_min(t, -3.))) * 0.5)
  # Far below 0: the series of the error function there.
  far = torch.clamp_max(self, -4.)
  square = 1. / (far * far)
  series = 1. - square * (1. - square * 3. * (1. - square * 5. * (1. - square * 7. * (1. - square * 9.))))
  below = far * far * -0.5 - torch.log(torch.neg(far)) - 0.91893853320467278 + torch.log(series)
  return torch.where(torch.lt(self, -4.), below, near)

def special_ndtr(self):
  return torch.erfc(self * -0.70710678118654757) * 0.5

def special_xlog1py(self, other):
  y = self * torch.log1p(other)
  return torch.where(torch.eq(self, 0), torch.zeros_like(y), y)
