# Functions of complex numbers.

def __imag(x):
  return torch.imag(x) if torch.is_complex(x) else torch.zeros_like(torch.real(x))

def angle(self):
  return torch.atan2(torch.imag(self), torch.real(self))

def adjoint(self):
  return torch.conj(torch.transpose(self, -2, -1))

def div(self, other, rounding_mode=None):
  return torch.reciprocal(other) * self

def eq(self, other):
  return torch.logical_and(torch.eq(torch.real(self), torch.real(other)), torch.eq(torch.__imag(self), torch.__imag(other)))

def ne(self, other):
  return torch.logical_not(torch.eq(self, other))

def exp(self):
  return torch.polar(torch.exp(torch.real(self)), torch.imag(self))

def log(self):
  return torch.complex(torch.log(torch.abs(self)), torch.angle(self))

def isfinite(self):
  return torch.logical_and(torch.isfinite(torch.real(self)), torch.isfinite(torch.imag(self)))

def isinf(self):
  return torch.logical_or(torch.isinf(torch.real(self)), torch.isinf(torch.imag(self)))

def isnan(self):
  return torch.logical_or(torch.isnan(torch.real(self)), torch.isnan(torch.imag(self)))

def isreal(self):
  return torch.eq(torch.imag(self), 0)

def linalg_vector_norm(self, ord=2, dim=None, keepdim: bool=False, dtype=None):
  return torch.linalg_vector_norm(torch.abs(self), ord, dim, keepdim)

def norm(self, p=2, dim=None, keepdim: bool=False, dtype=None):
  return torch.norm(torch.abs(self), p, dim, keepdim)

def pow(self, exponent):
  if isinstance(exponent, int) and exponent >= 1 and exponent <= 8:
    y = self
    for i in range(1, exponent):
      y = y * self
    return y
  return torch.exp(torch.log(self) * exponent)

def reciprocal(self):
  unit = torch.maximum(torch.abs(torch.real(self)), torch.abs(torch.imag(self)))
  a = torch.real(self) / unit
  b = torch.imag(self) / unit
  square = a * a + b * b
  return torch.complex(a / square / unit, torch.neg(b) / square / unit)

def rsqrt(self):
  return torch.reciprocal(torch.sqrt(self))

def sgn(self):
  length = torch.abs(self)
  return self / torch.where(torch.eq(length, 0), 1., length)

def sqrt(self):
  return torch.polar(torch.sqrt(torch.abs(self)), torch.angle(self) * 0.5)

def square(self):
  return self * self

def cos(self):
  re = torch.real(self)
  im = torch.imag(self)
  return torch.complex(torch.cos(re) * torch.cosh(im), torch.neg(torch.sin(re) * torch.sinh(im)))

def sin(self):
  re = torch.real(self)
  im = torch.imag(self)
  return torch.complex(torch.sin(re) * torch.cosh(im), torch.cos(re) * torch.sinh(im))

def var(self, dim=None, unbiased: bool=True, keepdim: bool=False, correction=None):
  re = torch.var(torch.real(self), dim, unbiased, keepdim, correction=correction)
  return re + torch.var(torch.imag(self), dim, unbiased, keepdim, correction=correction)

def vdot(self, other):
  return torch.sum(torch.conj(self) * other)

def linalg_vecdot(x, y, dim: int=-1):
  return torch.sum(torch.conj(x) * y, [dim])
