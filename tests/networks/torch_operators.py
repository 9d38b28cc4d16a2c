"""PyTorch's operators, each in a traced function: {name: (function, inputs)}."""
import torch
import torchvision
from torch.nn import functional as F

R = torch.randn
BOXES = torch.rand(20, 2).repeat(1, 2) * 10 + torch.tensor([0, 0, 4., 4.])
ROIS = torch.tensor([[0, 1., 2., 15., 16.], [1, 0., 0., 9., 20.]])
VISION = torchvision.ops


def changed(change):
    """What the change in place makes of a copy."""
    def function(x, *others):
        y = x.clone()
        change(y, *others)
        return y
    return function


def put_columns(y, v):
    y[:, torch.tensor([0, 2])] = v


def put_last(y, v):
    y[..., torch.tensor([1, 3])] = v


def put_masked(y, v):
    y[y > 0] = v[:int((y > 0).sum())]


def put_rows(y, v):
    y[torch.tensor([True, False, True])] = v


def put_apart(y):
    y[torch.tensor([0, 1]), :, torch.tensor([1, 2])] = 7.


def add_at(y, v):
    y[torch.tensor([0, 1]), torch.tensor([1, 2])] += v


def every_second(y):
    y[1:, ::2] = 0
    every = y[:, 1::2]
    y += 1
    y.mul_(every.sum())


def chunks(y):
    a, b = y.chunk(2, 1)
    a.mul_(2)
    b += 1
    y.unbind(0)[1].zero_()


def borders(y):
    y[1:, -1] = y[1:, 0]
    y[-1] *= 2
    y[:-1, 1:-1] = 0


OPERATORS = {
    'put_columns': (changed(put_columns), [R(3, 4, 5), R(2, 5)]),
    'put_last': (changed(put_last), [R(2, 3, 4), R(2, 3, 2)]),
    'put_masked': (changed(put_masked), [R(3, 4), R(12)]),
    'put_rows': (changed(put_rows), [R(3, 4), R(2, 4)]),
    'put_apart': (changed(put_apart), [R(3, 2, 4)]),
    'add_at': (changed(add_at), [R(3, 4, 2), R(2, 2)]),
    'every_second': (changed(every_second), [R(3, 4)]),
    'chunks': (changed(chunks), [R(3, 4)]),
    'borders': (changed(borders), [R(3, 4)]),
    'max_unpool2d': (lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2), [R(1, 2, 8, 8)]),
    'cosine_similarity': (lambda x, y: F.cosine_similarity(x, y, dim=1), [R(3, 8), R(3, 8)]),
    'pairwise_distance': (F.pairwise_distance, [R(3, 8), R(3, 8)]),
    'cdist': (lambda x, y: (torch.cdist(x, y), torch.cdist(x, y, p=1)), [R(3, 8), R(5, 8)]),
    'unfold': (lambda x: F.unfold(x, 3, padding=1, stride=2), [R(1, 2, 8, 8)]),
    'fold': (lambda x: F.fold(x, (6, 6), 3, padding=1), [R(1, 18, 36)]),
    'windows': (lambda x: x.unfold(1, 4, 2), [R(2, 10, 3)]),
    'one_hot': (lambda x: F.one_hot(x, 5), [torch.randint(0, 5, (3, 4))]),
    'diagonals': (lambda x: (torch.diag(x, 1), torch.diag(x[0], -1), torch.diag_embed(x, 1, 0, 2)), [R(3, 4)]),
    'diagonal': (lambda x: (torch.diagonal(x, 0, -2, -1), torch.diagonal(x, -1, 0, 1)), [R(4, 4, 4)]),
    'trace': (torch.trace, [R(4, 4)]),
    'cross': (lambda x, y: (torch.cross(x, y, dim=1), torch.linalg.cross(x, y)), [R(4, 3), R(4, 3)]),
    'error_functions': (lambda x: (torch.erfc(x), torch.erfinv(x.tanh())), [R(8)]),
    'gammas': (lambda x: (torch.lgamma(x), torch.digamma(x)), [torch.tensor([-2.5, -.3, .2, 1., 3., 20., 100.])]),
    'sinc': (torch.sinc, [R(8)]),
    'logit': (lambda x: (torch.logit(x), torch.logit(x, .3)), [torch.rand(8)]),
    'hypot': (torch.hypot, [R(8), R(8)]),
    'logaddexp': (torch.logaddexp, [R(8), R(8)]),
    'not_numbers': (lambda x: (torch.nan_to_num(x / (x > 0)), torch.isfinite(x / (x > 0))), [R(8)]),
    'parts': (lambda x: (torch.frac(x * 3), torch.sgn(x), torch.round(x, decimals=2)), [R(8)]),
    'exp2': (torch.exp2, [R(8)]),
    'extrema': (lambda x, y: (torch.fmax(x, y), torch.fmin(x, y), torch.aminmax(x)), [R(8), R(8)]),
    'heaviside': (torch.heaviside, [torch.tensor([-1., 0., 2.]), R(3)]),
    'copysign': (torch.copysign, [R(8), R(8)]),
    'degrees': (lambda x: torch.deg2rad(x) + torch.rad2deg(x), [R(8)]),
    'xlogy': (lambda x, y: torch.xlogy(x, y.abs()), [R(8), R(8)]),
    'isclose': (lambda x: torch.isclose(x, x + torch.tensor([0, 1e-9, 1, -1])), [R(4)]),
    'shifts': (lambda x: (x >> 2, x << 1), [torch.tensor([-5, -4, 0, 7])]),
    'bucketize': (lambda x: torch.bucketize(x, torch.tensor([-1., 0., 1.])), [R(8)]),
    'searchsorted': (lambda x, v: torch.searchsorted(x, v, right=True), [R(3, 5).sort().values, R(3, 2)]),
    'isin': (lambda x: torch.isin(x, torch.tensor([1, 2])), [torch.randint(0, 4, (6,))]),
    'index_add': (lambda x, y: x.index_add(0, torch.tensor([0, 2]), y, alpha=2), [R(4, 3), R(2, 3)]),
    'index_fill': (lambda x: x.index_fill(1, torch.tensor([0, 2]), 5.), [R(4, 3)]),
    'index_copy': (lambda x, y: x.index_copy(0, torch.tensor([0, 2]), y), [R(4, 3), R(2, 3)]),
    'take': (lambda x: (torch.take(x, torch.tensor([0, 5])), torch.take_along_dim(x, x.argsort(1), 1)), [R(4, 3)]),
    'masked_scatter': (lambda x, y: x.masked_scatter(x > 0, y), [R(4, 3), R(12)]),
    'scatter_reduce': (lambda x, y: x.scatter_reduce(0, torch.tensor([[0, 1, 0]]), y, 'amax'), [R(4, 3), R(1, 3)]),
    'select_scatter': (lambda x, y: torch.select_scatter(x, y, 0, 1), [R(3, 3), R(3)]),
    'slice_scatter': (lambda x, y: torch.slice_scatter(x, y, 0, 1, 3, 1), [R(3, 3), R(2, 3)]),
    'rot90': (lambda x: (torch.rot90(x, 2, [0, 1]), torch.rot90(x, 3, [0, 1]), torch.rot90(x)), [R(3, 4)]),
    'flips': (lambda x: torch.flipud(x) + torch.fliplr(x) + torch.roll(x, 2), [R(3, 4)]),
    'kron': (torch.kron, [R(2, 3), R(3, 2)]),
    'tensordot': (lambda x, y: torch.tensordot(x, y, dims=([2, 0], [0, 1])), [R(2, 3, 4), R(4, 2, 5)]),
    'inner': (torch.inner, [R(2, 3), R(4, 3)]),
    'addmv': (torch.addmv, [R(2), R(2, 3), R(3)]),
    'addbmm': (torch.addbmm, [R(2, 4), R(5, 2, 3), R(5, 3, 4)]),
    'addr': (torch.addr, [R(2, 3), R(2), R(3)]),
    'multi_dot': (lambda x, y, z: torch.linalg.multi_dot([x, y, z]), [R(2, 4), R(4, 3), R(3, 4)]),
    'matrix_power': (lambda x: torch.matrix_power(x, 5), [R(3, 3)]),
    'matrices': (lambda x: (torch.det(x), torch.linalg.matrix_norm(x)), [R(3, 3)]),
    'bilinear': (lambda x, y, w: F.bilinear(x, y, w), [R(2, 4), R(2, 5), R(3, 4, 5)]),
    'logcumsumexp': (lambda x: torch.logcumsumexp(x, 1), [R(2, 5)]),
    'extrema_so_far': (lambda x: (torch.cummax(x, 0), torch.cummin(x, 1)), [torch.randint(-3, 3, (6, 7)).float()]),
    'count_nonzero': (lambda x: torch.count_nonzero(x > 0, dim=1), [R(2, 5)]),
    'unique': (lambda x: torch.unique(x, return_counts=True, return_inverse=True), [torch.randint(0, 5, (3, 4))]),
    'unique_dim': (lambda x: torch.unique(x, dim=0), [torch.randint(0, 2, (6, 2))]),
    'unique_consecutive': (lambda x: torch.unique_consecutive(x, return_inverse=True), [torch.randint(0, 2, (9,))]),
    'kthvalue': (lambda x: torch.kthvalue(x, 2, dim=1), [R(2, 5)]),
    'median': (lambda x: (torch.median(x, 0, True).values, x.median()), [R(6, 4)]),
    'quantile': (lambda x: torch.quantile(x, .3, dim=1), [R(2, 5)]),
    'nan_sums': (lambda x: (torch.nansum(x.log()), torch.nanmean(x.log(), dim=1)), [R(2, 9)]),
    'sorted_choice': (lambda x: x[x > 0].argsort(), [R(9)]),
    'embedding_bag': (lambda x, w: F.embedding_bag(x, w, mode='mean'), [torch.randint(0, 10, (3, 4)), R(10, 4)]),
    'embedding_bag_computed': (lambda x, o, w: [F.embedding_bag(x, w, o, mode=mode) for mode in ('sum', 'mean', 'max')],
                               [torch.randint(0, 10, (7,)), torch.tensor([0, 2, 2, 5]), R(10, 4)]),
    'affine_grid': (lambda x, t: F.affine_grid(t, x.shape, align_corners=True), [R(1, 2, 5, 5), R(1, 2, 3)]),
    'window_functions': (lambda x: x * torch.hann_window(8) * torch.hamming_window(8, False) * torch.blackman_window(8),
                         [R(2, 8)]),
    'diff': (lambda x: torch.diff(x, n=2, dim=0), [R(4, 8)]),
    'stacks': (lambda x: (torch.dstack([x, x]), torch.column_stack([x, x[:, 0]]), torch.block_diag(x, x)), [R(2, 3)]),
    'splits': (lambda x: torch.vsplit(x, 2) + torch.dsplit(x, 2) + torch.hsplit(x, 2), [R(4, 2, 4)]),
    'repeat_interleave': (lambda x: torch.repeat_interleave(x, torch.tensor([1, 2, 3]), dim=0), [R(3, 4)]),
    'triangles': (lambda x: (x[torch.tril_indices(4, 4).unbind()], x[torch.triu_indices(4, 4, 1).unbind()]), [R(4, 4)]),
    'losses': (lambda x, y: (F.mse_loss(x, y), F.l1_loss(x, y), F.smooth_l1_loss(x, y, beta=.5), F.huber_loss(x, y),
                             F.binary_cross_entropy_with_logits(x, y)), [R(3, 3), R(3, 3)]),
    'nearest_exact': (lambda x: F.interpolate(x, scale_factor=1.5, mode='nearest-exact'), [R(1, 2, 9, 9)]),
    'antialias': (lambda x: (F.interpolate(x, (7, 9), mode='bicubic', antialias=True),
                             F.interpolate(x, (7, 9), mode='bilinear', antialias=True)), [R(1, 2, 15, 16)]),
    'nms': (lambda boxes, scores: VISION.nms(boxes, scores, .4), [BOXES, R(20)]),
    'batched_nms': (lambda boxes, scores, classes: VISION.batched_nms(boxes, scores, classes, .4),
                    [BOXES, R(20), torch.randint(0, 3, (20,))]),
    'roi_pool': (lambda x, rois: VISION.roi_pool(x, rois, (2, 2), .5), [R(2, 3, 12, 12), ROIS]),
    'roi_align': (lambda x, rois: VISION.roi_align(x, rois, (2, 3), .5, -1, True), [R(2, 3, 12, 12), ROIS]),
    'deform_conv2d': (lambda x, o, w, m: VISION.deform_conv2d(x, o, w, mask=m, padding=1, stride=2),
                      [R(1, 4, 8, 8), R(1, 18, 4, 4), R(6, 4, 3, 3), torch.rand(1, 9, 4, 4)]),
}
