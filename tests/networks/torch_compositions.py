"""Operators that are composed of others, and those on complex numbers, each in a traced function: {name: (function, inputs)}."""
import torch
from torch.nn import functional as F

R = torch.randn
LINALG, SPECIAL, FFT = torch.linalg, torch.special, torch.fft
ATEN = torch.ops.aten


def C(*shape):
    return torch.view_as_real(torch.randn(*shape, dtype=torch.complex64))


def on_complex(function):
    """Of complex inputs, which are given as pairs of floats; results are given as such, too."""
    def plain(value):
        if isinstance(value, (tuple, list)):
            return tuple(map(plain, value))
        return torch.view_as_real(torch.resolve_conj(value)) if value.is_complex() else value
    return lambda *inputs: plain(function(*[torch.view_as_complex(x) if x.shape[-1:] == (2,) else x for x in inputs]))


def symmetric(n):
    x = R(n, n)
    return x @ x.t() + n * torch.eye(n)


def signs(x):
    """Vectors that are unique up to their sign."""
    return x.abs()


def changed(change):
    def function(x, *others):
        y = x.clone()
        change(y, *others)
        return y
    return function


def real_part(y):
    torch.real(y).mul_(2)
    torch.imag(y)[1:] = 7.


NOT_NUMBERS = torch.tensor([1., float('nan'), float('inf'), -float('inf'), -0.])
BIG = torch.tensor([-30., -9., -3., -1., -.3, 0., .2, .9, 2., 5., 8., 20.])
UNIT = torch.rand(9) * .98 + .01
LABELS = torch.tensor([1, 0, 2])

COMPOSITIONS = {
    'inverses': (lambda x: (torch.inverse(x), LINALG.inv(x), torch.pinverse(x), LINALG.inv_ex(x)[0]), [symmetric(4)]),
    'pseudo_inverse': (lambda x: LINALG.pinv(x), [R(4, 3)]),
    'determinants': (lambda x: (LINALG.det(x), torch.slogdet(x), LINALG.slogdet(x), torch.logdet(x)), [symmetric(3)]),
    'batch_of_inverses': (lambda x: (LINALG.inv(x), torch.det(x)), [torch.stack([symmetric(3), symmetric(3)])]),
    'cholesky': (lambda x: (torch.cholesky(x), LINALG.cholesky(x), LINALG.cholesky_ex(x)[0], LINALG.cholesky(x, upper=True)),
                 [symmetric(4)]),
    'cholesky_solve': (lambda x, b: (torch.cholesky_solve(b, LINALG.cholesky(x)), torch.cholesky_inverse(LINALG.cholesky(x))),
                       [symmetric(4), R(4, 2)]),
    'eigen': (lambda x: (LINALG.eigh(x)[0], signs(LINALG.eigh(x)[1]), LINALG.eigvalsh(x)), [symmetric(4)]),
    'singular': (lambda x: (torch.svd(x)[1], LINALG.svdvals(x), signs(torch.svd(x)[0]), signs(LINALG.svd(x, False)[2]),
                            LINALG.svd(x, False)[1]), [R(4, 3)]),
    'qr': (lambda x: (signs(torch.qr(x)[0]), signs(LINALG.qr(x)[1])), [R(4, 3)]),
    'solve': (lambda x, b: (LINALG.solve(x, b), LINALG.solve(x, b[:, 0]), torch.triangular_solve(b, x.triu(), upper=True)[0],
                            LINALG.solve_triangular(x.tril(), b, upper=False)), [symmetric(4), R(4, 2)]),
    'matrix_exp': (lambda x: (torch.matrix_exp(x), LINALG.matrix_exp(x)), [R(3, 3)]),
    'norms_of_matrices': (lambda x: (LINALG.matrix_norm(x, 1), LINALG.matrix_norm(x, float('inf')), LINALG.matrix_norm(x, 2),
                                     LINALG.matrix_norm(x, -2), torch.nuclear_norm(x), LINALG.norm(x), LINALG.norm(x, 1)),
                          [R(4, 3)]),
    'norms': (lambda x: (LINALG.vector_norm(x, 3), LINALG.vector_norm(x, 0), LINALG.norm(x[0], 2), torch.norm_except_dim(x, 2, 0),
                         torch.renorm(x, 2, 0, 1.), torch.dist(x, x * 2 + 1, 3)), [R(4, 3)]),
    'vander': (lambda x: (torch.vander(x), torch.vander(x, 3, True), LINALG.vander(x)), [R(4)]),
    'covariance': (lambda x: (torch.cov(x), torch.corrcoef(x), torch.cov(x, correction=0)), [R(3, 6)]),
    'distances': (lambda x: (torch.pdist(x), torch.pdist(x, 1)), [R(4, 3)]),
    'normalizing': (lambda x, w, b: (torch.native_layer_norm(x, [4], w, b, 1e-5), torch.native_batch_norm(
        x, w[:3], b[:3], b[:3], w[:3].abs() + .5, False, .1, 1e-5)[0],
        torch.native_group_norm(x, w[:3], b[:3], 2, 3, 4, 3, 1e-5)[0]), [R(2, 3, 4), R(4), R(4)]),
    'softmax': (lambda x: (torch._softmax(x, 1, False), torch._log_softmax(x, 1, False)), [R(2, 5)]),
    'attention': (lambda q, k, v: torch._C._nn._scaled_dot_product_attention(q, k, v)[0], [R(2, 4, 8), R(2, 5, 8), R(2, 5, 8)]),
    'weight_norm': (lambda v, g: torch._weight_norm(v, g, 0), [R(3, 4), torch.rand(3, 1)]),
    'bilinear_as_three': (lambda x, y, w: torch.bilinear(x, y, w), [R(3, 4), R(3, 5), R(2, 4, 5)]),
    'conv_tbc': (lambda x, w, b: torch.conv_tbc(x, w, b, 1), [R(7, 2, 3), R(3, 3, 4), R(4)]),
    'at_least': (lambda x, y: (torch.atleast_1d(x), torch.atleast_2d(y), torch.atleast_3d(y)), [torch.tensor(2.), R(3)]),
    'positions': (lambda x: (torch.argwhere(x > 0), *torch.nonzero(x > 0, as_tuple=True)), [R(3, 4)]),
    'strided': (lambda x: (x.as_strided((2, 3), (1, 4), 2), torch.as_strided_scatter(x, torch.zeros(2, 2), (2, 2), (1, 4), 1)),
                [R(4, 4)]),
    'diagonals_set': (lambda x, y: (torch.diagonal_scatter(x, y, 1), torch.diagflat(y, 1), x.clone().fill_diagonal_(5.)),
                      [R(4, 4), R(3)]),
    'products': (lambda x, y: (torch.cartesian_prod(x, y), torch.combinations(x, 2)), [R(3), R(2)]),
    'counts': (lambda x, y: (torch.bincount(x, minlength=6), torch.histc(y, 5, -1, 1), torch.bincount(x, y[:8], 6)),
               [torch.randint(0, 5, (8,)), R(20)]),
    'put': (changed(lambda y, v: y.put_(torch.tensor([1, 5]), v)), [R(3, 3), R(2)]),
    'index_reduce': (lambda x, y: (x.index_reduce(0, torch.tensor([0, 2, 0]), y, 'amax'), x.index_reduce(
        0, torch.tensor([0, 2, 0]), y, 'mean'), x.index_reduce(0, torch.tensor([1, 1, 0]), y, 'prod', include_self=False)),
                     [R(4, 3), R(3, 3)]),
    'sorting': (lambda x: (torch.msort(x), torch.unique_consecutive(x > 0, dim=0)), [R(5, 3)]),
    'nanmedian': (lambda x: (torch.nanmedian(x), torch.nanmedian(x, 1)[0]), [torch.cat([R(3, 5), torch.full((3, 2), float('nan'))], 1)]),
    'trapezoids': (lambda x, y: (torch.trapezoid(y, dx=.5), torch.trapz(y, x), torch.cumulative_trapezoid(y, x)), [R(6), R(6)]),
    'bessel': (lambda x: (torch.i0(x), SPECIAL.i0e(x)), [BIG / 2]),
    'error_functions': (lambda x, p: (SPECIAL.ndtr(x), SPECIAL.log_ndtr(x), SPECIAL.ndtri(p), SPECIAL.erfcx(x / 4)), [BIG / 2, UNIT]),
    'entropies': (lambda p: (SPECIAL.entr(p), SPECIAL.xlog1py(p, p), torch.mvlgamma(p + 2, 2)), [UNIT]),
    'exponents': (lambda x: (torch.ldexp(x, torch.tensor([2])), *torch.frexp(x), torch.float_power(x.abs(), 1.5), torch.logaddexp2(x, x * 2)),
                  [torch.cat([R(6) * 100, torch.tensor([0., 1., -2., 1e-5])])]),
    'signs': (lambda x: (torch.signbit(x), torch.isposinf(x), torch.isneginf(x), torch.isreal(x)), [NOT_NUMBERS]),
    'spaces': (lambda x: (x[:5] + torch.logspace(0, 2, 5), x[:5] + torch.range(1, 9, 2)), [R(9)]),
    'losses_of_classes': (lambda x, y: (F.cross_entropy(x, y), F.cross_entropy(x, y, label_smoothing=.1), F.nll_loss(x, y),
                                        F.cross_entropy(x, y, weight=torch.tensor([1., 2., 3., 4.]), reduction='sum'),
                                        F.multi_margin_loss(x, y), F.cross_entropy(x, y, ignore_index=0, reduction='none')),
                          [R(3, 4), LABELS]),
    'losses_of_pictures': (lambda x, y: (F.cross_entropy(x, y), F.nll_loss(x, y)), [R(2, 4, 3, 3), torch.randint(0, 4, (2, 3, 3))]),
    'losses_of_pairs': (lambda x, y: (F.kl_div(x.log_softmax(1), y.softmax(1), reduction='batchmean'), F.poisson_nll_loss(x, y.abs()),
                                      F.soft_margin_loss(x, y.sign()), F.hinge_embedding_loss(x, y.sign()),
                                      F.cosine_embedding_loss(x, y, torch.tensor([1., -1., 1.]))), [R(3, 4), R(3, 4)]),
    'losses_of_probabilities': (lambda x, y: (F.binary_cross_entropy(x, y), F.cross_entropy(x, y)), [torch.rand(3, 4), torch.rand(3, 4)]),
    'losses_of_triples': (lambda x, y, z: (F.triplet_margin_loss(x, y, z), F.margin_ranking_loss(x, y, torch.sign(z))),
                          [R(3, 4), R(3, 4), R(3, 4)]),
    'pad_sequence': (lambda x, y: torch.nn.utils.rnn.pad_sequence([x, y], True, 7.), [R(3, 2), R(5, 2)]),
    'max_unpool3d': (lambda x: F.max_unpool3d(*F.max_pool3d(x, 2, return_indices=True), 2), [R(1, 2, 4, 4, 4)]),
    'sum_to_size': (lambda x: (x.sum_to_size(1, 4), x.sum_to_size(4)), [R(3, 4)]),
    'rrelu': (lambda x: F.rrelu(x), [R(3, 4)]),
    'unsafe_splits': (lambda x: (torch.unsafe_split(x, 2), torch.unsafe_chunk(x, 2, 1), torch.unsafe_split_with_sizes(x, [1, 3])), [R(4, 4)]),
    'other_names': (lambda x: (torch.absolute(x), torch.arcsin(x.tanh()), torch.arctan(x), torch.arcsinh(x), torch.arctanh(x.tanh() / 2),
                               torch.arccos(x.tanh()), torch.arccosh(x.abs() + 1.5), torch.arctan2(x, x + 1), torch.fix(x * 3),
                               torch.ger(x, x), torch.row_stack([x, x]), torch.concatenate([x, x]) if hasattr(torch, 'concatenate') else x,
                               torch.greater_equal(x, 0), torch.less_equal(x, 0), torch.not_equal(x, x + 1)), [R(8)]),
    'special_names': (lambda x, p: (SPECIAL.erf(x), SPECIAL.expit(x), SPECIAL.exp2(x), SPECIAL.expm1(x), SPECIAL.log1p(p), SPECIAL.logit(p),
                                    SPECIAL.digamma(p), SPECIAL.gammaln(p), SPECIAL.logsumexp(x, 0), SPECIAL.round(x), SPECIAL.sinc(x),
                                    SPECIAL.softmax(x, 0), SPECIAL.log_softmax(x, 0), SPECIAL.xlogy(p, p), SPECIAL.erfinv(p)), [R(9), UNIT]),
    # Complex numbers.
    'fft': (lambda x: torch.view_as_real(FFT.fft(x)), [R(2, 8)]),
    'ffts': (on_complex(lambda x: (FFT.fft(x), FFT.ifft(x), FFT.fft(x, 5), FFT.fft(x, 11, 0, 'ortho'), FFT.ifft(x, norm='forward'))), [C(3, 6)]),
    'ffts_of_reals': (lambda x: (torch.view_as_real(FFT.rfft(x)), FFT.irfft(FFT.rfft(x)), FFT.irfft(FFT.rfft(x), 7),
                                 torch.view_as_real(FFT.rfft(x, norm='ortho'))), [R(2, 9)]),
    'ffts_of_pictures': (lambda x: (torch.view_as_real(FFT.fft2(x)), torch.view_as_real(FFT.rfft2(x)), FFT.irfft2(FFT.rfft2(x)),
                                    torch.view_as_real(FFT.rfftn(x)), torch.view_as_real(FFT.fftn(x)), torch.abs(FFT.ifft2(FFT.fft2(x))),
                                    FFT.irfftn(FFT.rfftn(x))), [R(2, 4, 6)]),
    'ffts_of_hermitian': (on_complex(lambda x: FFT.hfft(x)), [C(2, 5)]),
    'inverse_hermitian': (lambda x: torch.view_as_real(torch.resolve_conj(FFT.ihfft(x))), [R(2, 8)]),
    'frequencies': (lambda x: (x + FFT.fftfreq(8), x[:5] + FFT.rfftfreq(8, .5), FFT.fftshift(x), FFT.ifftshift(x)), [R(8)]),
    'spectral_layer': (lambda x, w: FFT.irfft2(torch.einsum('bixy,ioxy->boxy', FFT.rfft2(x), torch.view_as_complex(w)), (6, 8)),
                       [R(2, 3, 6, 8), C(3, 2, 6, 5)]),
    'stft': (lambda x: torch.view_as_real(torch.stft(x, 16, 4, window=torch.hann_window(16), return_complex=True, normalized=True)), [R(2, 64)]),
    'istft': (lambda x: torch.istft(torch.stft(x, 16, 4, window=torch.hann_window(16), return_complex=True), 16, 4,
                                    window=torch.hann_window(16)), [R(2, 64)]),
    'istft_of_length': (lambda x: torch.istft(torch.stft(x, 16, 8, window=torch.hann_window(16), return_complex=True) * 2, 16, 8,
                                              window=torch.hann_window(16), length=60), [R(64)]),
    'complex_arithmetic': (on_complex(lambda x, y: (x + y, x - y, x * y, x / y, x * 2., x + 1j, -x, 3 - x, torch.reciprocal(y), x / 2.)), [C(3, 4), C(3, 4)]),
    'complex_parts': (on_complex(lambda x: (x.real, x.imag, x.abs(), x.angle(), x.conj(), torch.conj_physical(x), torch.sgn(x), torch.isreal(x))), [C(3, 4)]),
    'complex_functions': (on_complex(lambda x: (x.exp(), x.log(), x.sqrt(), x.sin(), x.cos(), x ** 2, x ** 3, x.square(), x ** .5)), [C(3, 4)]),
    'complex_products': (on_complex(lambda x, y: (x @ y, torch.einsum('ij,jk->ki', x, y), torch.mv(x, y[:, 0]), torch.kron(x, y),
                                                  torch.outer(x[0], y[0]), x.adjoint())), [C(3, 4), C(4, 3)]),
    'complex_mixed': (on_complex(lambda x, y: (x * y.t(), y.t() + x, x / y.t())), [C(3, 4), R(4, 3)]),
    'complex_reductions': (on_complex(lambda x: (x.sum(), x.mean(1), torch.var(x), LINALG.norm(x[0]), LINALG.vector_norm(x, dim=1), x.cumsum(0))), [C(3, 4)]),
    'complex_shapes': (on_complex(lambda x: (x.t(), x[1:], x.reshape(2, 6), torch.cat([x, x], 1), x.flip(0), x.unsqueeze(0), torch.stack([x, x]),
                                             x[:, 0], torch.where(x.real > 0, x, x * 2), x.chunk(2, 1), F.pad(x, (1, 1)))), [C(3, 4)]),
    'complex_comparisons': (on_complex(lambda x: (x == x, x != x.conj(), torch.isfinite(x), torch.isnan(x))), [C(3, 4)]),
    'complex_made': (lambda x: (torch.view_as_real(torch.complex(x, x * 2)), torch.view_as_real(torch.polar(x.abs(), x)), torch.view_as_real(
        torch.zeros(3, dtype=torch.complex64) + x[:3])), [R(5)]),
    'complex_in_place': (on_complex(changed(real_part)), [C(3, 4)]),
    'complex_changes': (on_complex(changed(lambda y, v: y.mul_(v).add_(1))), [C(3, 4), C(3, 4)]),
    'rotary': (lambda x, f: torch.view_as_real(torch.view_as_complex(x.reshape(2, 5, 4, 2)) * torch.polar(torch.ones_like(f), f)).flatten(2),
               [R(2, 5, 8), R(5, 4)]),
}
