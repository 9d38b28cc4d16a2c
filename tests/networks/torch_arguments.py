"""PyTorch's operators with rare arguments, types and ranks, each in a traced function: {name: (function, inputs)}."""
import torch
from torch.nn import functional as F

R = torch.randn
LINALG, SPECIAL = torch.linalg, torch.special
INF = float('inf')
IMAGE = R(1, 3, 9, 9)
WHOLE = torch.tensor([[3, 1, 2], [1, 1, 5]])
BYTES = WHOLE.to(torch.uint8)
SCALAR = torch.tensor(2.5)
FIRST = torch.tensor(0)


def along(*names):
    """Operators along dimension 0, of a tensor without dimensions."""
    return lambda x: tuple(y for name in names for y in outputs_of(getattr(torch, name)(x, 0)))


def with_nans(*values):
    """Where outputs are NaN, and what else they are."""
    return tuple(part for y in values for part in (torch.isnan(y), torch.nan_to_num(y, 0., 1e6, -1e6)))


def outputs_of(value):
    return (value,) if isinstance(value, torch.Tensor) else tuple(value)


ARGUMENTS = {
    # Windows that reach beyond the padding, divided by a number that is given.
    'divisors': (lambda x: (F.avg_pool2d(x, 4, (2, 3), 1, True, False, 2), F.avg_pool2d(x, 6, 3, (2, 3), True, True, 5),
                            F.avg_pool2d(x, 4, (2, 3), 1, False, True, 2), F.avg_pool2d(x, 2, None, 0, True, False, 3)), [IMAGE]),
    'divisors_3d': (lambda x: F.avg_pool3d(x, (2, 3, 4), (1, 2, 2), (0, 1, 2), True, True, 2), [R(1, 2, 5, 5, 5)]),
    'largest_3d': (lambda x: (F.adaptive_max_pool3d(x, (2, 3, 1)), F.adaptive_max_pool3d(x, 5)), [R(1, 2, 5, 6, 7)]),
    'bags_with_padding': (lambda w, i, o: tuple(F.embedding_bag(i, w, o, mode=mode, padding_idx=row)
                                                for mode in ('sum', 'mean', 'max') for row in (-1, 2)),
                          [R(5, 3), torch.tensor([4, 0, 3, 2, 4, 2, 2]), torch.tensor([0, 3, 5])]),
    # Spectra whose second half says something else than the first one; only that is read.
    'istft_of_both_halves': (lambda x: torch.istft(torch.view_as_complex(x), 10, window=torch.ones(10)), [R(10, 3, 2)]),
    'poles': (lambda x: with_nans(torch.lgamma(x), torch.digamma(x[1:]), torch.erfinv(x), SPECIAL.ndtri(x.abs())),
              [torch.tensor([0., -1., -2., 1., -1., 0.5])]),
    'orders_below_zero': (lambda x: tuple(torch.polygamma(n, x) for n in (1, 2, 3)),
                          [torch.tensor([-8.35, -3.5, -1.25, -0.5, 0.25, 2., 9.5])]),
    'gammas_without_value': (lambda a, x: with_nans(torch.igamma(a, x), torch.igammac(a, x)),
                             [torch.tensor([-1., 0., 2., 3., 0.]), torch.tensor([1., 0., -1., 2., 1.])]),
    'covariance_of_one': (lambda x, w: (torch.cov(x), torch.corrcoef(x), torch.cov(x, aweights=w)), [R(1, 4), torch.rand(4)]),
    'covariance_of_integers': (lambda x: (torch.cov(x), torch.corrcoef(x), torch.cov(x, fweights=x[0])), [WHOLE]),
    'half_of_a_matrix': (lambda x: LINALG.pinv(x, hermitian=True), [R(4, 4)]),
    # Numbers that floats do not hold, and that wrap around.
    'whole_numbers': (lambda x, y: (x * 1103515245 + 16777217, (y + 9007199254740993) - y, y.masked_fill(y > 1, 9007199254740993),
                                    torch.full((2,), 16777217, dtype=torch.int32) + x[0, :2], x.fill_(33554433)),
                      [WHOLE.to(torch.int32), WHOLE]),
    'bytes': (lambda x: (x - 1, torch.add(x, x, alpha=-1), x + 255, x.any(0), x.all(1), torch.bitwise_not(x)), [BYTES]),
    'floors_of_quotients': (lambda x, y: (torch.floor_divide(x, y), torch.remainder(x, y), x // 0.1, torch.div(x, y, rounding_mode='floor')),
                            [torch.tensor([1., -1., 0.3, 7., -7., 5.]), torch.tensor([0.1, 0.1, 0.1, -3., -3., INF])]),
    'rounding_integers': (lambda x: (torch.floor(x), torch.ceil(x), torch.trunc(x), torch.round(x), torch.isinf(x), torch.isnan(x),
                                     torch.square(x > 1)), [WHOLE]),
    'functions_of_bytes': (lambda x: (SPECIAL.i0e(x), SPECIAL.i1(x), SPECIAL.erfcx(x), torch.copysign(x, -1.), torch.xlogy(x, x),
                                      SPECIAL.entr(x), torch.polygamma(1, x)), [BYTES]),
    'products_of_types': (lambda x, y: (torch.addcmul(x, y, y), torch.addcdiv(x, y.float(), x + 9)), [R(2, 3), WHOLE]),
    'most_frequent': (lambda x: (torch.mode(x)[0], *torch.mode(x, 0, True)), [torch.tensor([[2, 1, 1, 2], [3, 3, 3, 0], [5, 4, 3, 2]])]),
    'medians_of_integers': (lambda x: (torch.nanmedian(x), torch.nanmedian(x, 1)[0]), [WHOLE]),
    'quantiles': (lambda x: tuple(torch.quantile(x, 0.3, 1, interpolation=how) for how in ('linear', 'lower', 'higher', 'nearest', 'midpoint')),
                  [R(3, 6)]),
    'extrema_so_far_of_integers': (lambda x: (torch.cummax(x, 1)[0], torch.cummin(x.to(torch.int32), 1)[0], torch.cummax(x.to(torch.uint8), 0)[0]),
                                   [WHOLE]),
    'sorted_stably': (lambda x: (torch.sort(x, stable=True, dim=0, descending=True)[0], torch.sort(x, stable=False, dim=1)[0]), [WHOLE]),
    'scattered': (lambda x, i, y: (x.scatter(1, i, y, reduce='add'), x.scatter(1, i, y, reduce='multiply'), x.scatter(1, i, 3., reduce='add')),
                  [R(2, 4), torch.tensor([[0, 0], [1, 3]]), R(2, 2)]),
    'selected_with_broadcasts': (lambda x, y, m: (torch.masked_select(x, m), torch.masked_select(y, m[0])),
                                 [R(4), R(3, 1), torch.tensor([[True, False, True, True]] * 3)]),
    'differences': (lambda x, y: (torch.diff(x, 1, 1, prepend=y), torch.diff(x, 2, 0, y[:, :1].expand(3, 4), x), torch.diff(x, 0, 0, x)),
                    [R(3, 4), R(3, 2)]),
    'every_second': (lambda x, y: (torch.slice_scatter(x, y, 1, 0, 6, 2), torch.slice_scatter(x, y, 1, 1, None, 2)), [R(2, 6), R(2, 3)]),
    'softplus_with_threshold': (lambda x: (F.softplus(x, 3, .2), F.softplus(x, 1, -1.), F.softplus(x, 2)), [R(9)]),
    'scattered_part': (lambda x, i, y: (x.scatter(1, i, y), x.scatter_add(0, i, y), x.scatter_reduce(1, i, y, 'amax')), [R(3, 4), torch.tensor([[0, 2]]), R(3, 4)]),
    'integers_between_floats': (lambda x: (torch.clamp(x, 1.5, 3.5), torch.clamp_min(x, 1.5), torch.clamp_max(x, 2)), [WHOLE]),
    'narrow_copies': (lambda x: torch.narrow_copy(x, 1, 1, 2), [R(2, 4)]),
    'groups_without_sides': (lambda x, w: F.group_norm(x, 3, w), [R(2, 6), R(6)]),
    'weights_of_positives': (lambda x, y, w: (F.binary_cross_entropy_with_logits(x, y, pos_weight=w),
                                              F.binary_cross_entropy_with_logits(x * 50, y, w, pos_weight=w + 1, reduction='none')),
                             [R(2, 3), torch.rand(2, 3), torch.rand(3)]),
    'without_dimensions': (along('cumsum', 'cumprod', 'cummax', 'cummin', 'logcumsumexp', 'softmax', 'log_softmax', 'sort', 'argsort', 'median',
                                 'max', 'min', 'argmax', 'argmin', 'mode', 'nanmedian'), [SCALAR]),
    'positions_without_dimensions': (lambda x, i: (torch.gather(x, 0, i), torch.topk(x, 1), torch.kthvalue(x, 1), x.index_select(0, i),
                                                   x.scatter(0, i, x + 1), x.scatter_add(0, i, x), x.index_add(0, i, x),
                                                   x.index_fill(0, i, 7.), x.index_copy(0, i, x * 2)), [SCALAR, FIRST]),
}
