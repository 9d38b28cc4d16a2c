"""TensorFlow's operators that TensorFlow.js has not, with what NumPy and closed forms say they give: {name: (Case, expected)}."""
import colorsys
import math

import numpy as np

from tensorflow_graphs import Case, node

RANDOM = np.random.default_rng(11)
F, I = 'DT_FLOAT', 'DT_INT32'
FUNCTIONS = {}


def r(*shape, low=-2.0, high=2.0):
    return RANDOM.uniform(low, high, shape).astype(np.float32)


def ints(*values):
    return np.array(values, np.int32)


def add(name, op, arguments, expected, constants=(), nodes=(), fetches=('y',), inputs=None, **attributes):
    """Arguments are inputs of the graph, or its constants where their positions are said so. The operator reads the first `inputs` of
    them, nodes come after it. expected: an output, a tuple of them, or what computes them from the arguments."""
    names = [f'x{i}' for i in range(len(arguments))]
    given = {n: a for i, (n, a) in enumerate(zip(names, arguments)) if i not in constants}
    fixed = {n: a for i, (n, a) in enumerate(zip(names, arguments)) if i in constants}
    attributes.setdefault('T', F)
    if callable(expected):
        expected = expected(*arguments)
    case = Case([node('y', op, names[:inputs], **attributes), *nodes], given, fixed, list(fetches))
    FUNCTIONS[name] = (case, [np.asarray(e) for e in (expected if isinstance(expected, tuple) else (expected,))])


def symmetric(*batch, n=4):
    x = r(*batch, n, n)
    return (x @ np.swapaxes(x, -1, -2) + n * np.eye(n, dtype=np.float32)).astype(np.float32)


# Matrices taken apart. Products of the parts do not depend on their signs.
A, B = symmetric(2), r(2, 4, 3)
add('Cholesky', 'Cholesky', [A], np.linalg.cholesky(A))
for adjoint in (False, True):
    M = r(4, 4) + 3 * np.eye(4, dtype=np.float32)
    add(f'MatrixInverse_{adjoint}', 'MatrixInverse', [M], np.linalg.inv(M.T if adjoint else M), adjoint=adjoint)
    add(f'MatrixSolve_{adjoint}', 'MatrixSolve', [M, B[0]], np.linalg.solve(M.T if adjoint else M, B[0]), adjoint=adjoint)
    for lower in (False, True):
        T = np.tril(M) if lower else np.triu(M)
        add(f'MatrixTriangularSolve_{lower}_{adjoint}', 'MatrixTriangularSolve', [M, B[0]], np.linalg.solve(T.T if adjoint else T, B[0]),
            lower=lower, adjoint=adjoint)
WIDE = r(2, 4, 5)
add('MatrixBandPart', 'MatrixBandPart', [WIDE, np.array(1, np.int32), np.array(2, np.int32)], np.tril(np.triu(WIDE, -1), 2), constants=[1, 2], Tindex=I)
add('MatrixDeterminant', 'MatrixDeterminant', [A], np.linalg.det(A))
add('LogMatrixDeterminant', 'LogMatrixDeterminant', [A], tuple(np.linalg.slogdet(A)), fetches=['y', 'y:1'])
TALL = r(5, 3)
MATMUL = {'T': F, 'adj_x': False}
add('Qr', 'Qr', [TALL], (TALL, np.eye(3)), full_matrices=False, fetches=['a', 'i'],
    nodes=[node('a', 'BatchMatMulV2', ['y', 'y:1'], adj_y=False, **MATMUL),
           node('i', 'BatchMatMulV2', ['y', 'y'], T=F, adj_x=True, adj_y=False)])
add('Svd', 'Svd', [TALL], (np.linalg.svd(TALL)[1], TALL), compute_uv=True, full_matrices=False, fetches=['y', 'a'],
    nodes=[node('us', 'Mul', ['y:1', 'y'], T=F), node('a', 'BatchMatMulV2', ['us', 'y:2'], adj_y=True, **MATMUL)])
add('Svd_values', 'Svd', [TALL], np.linalg.svd(TALL)[1], compute_uv=False, full_matrices=False)
add('SelfAdjointEigV2', 'SelfAdjointEigV2', [A], (np.linalg.eigvalsh(A), A), compute_v=True, fetches=['y', 'a'],
    nodes=[node('d', 'MatrixDiag', ['y'], T=F), node('vd', 'BatchMatMulV2', ['y:1', 'd'], adj_y=False, **MATMUL),
           node('a', 'BatchMatMulV2', ['vd', 'y:1'], adj_y=True, **MATMUL)])


def exponential(x):
    term = total = np.eye(len(x))
    for i in range(1, 40):
        term = term @ x / i
        total = total + term
    return total


add('MatrixExponential', 'MatrixExponential', [TALL[:3]], exponential(TALL[:3].astype(np.float64)))
BAND = r(3, 5, low=.5) + np.array([[0], [4], [0]], np.float32)
DENSE = np.diag(BAND[1]) + np.diag(BAND[0, :-1], 1) + np.diag(BAND[2, 1:], -1)
add('TridiagonalSolve', 'TridiagonalSolve', [BAND, r(5, 2)], lambda _, b: np.linalg.solve(DENSE, b), partial_pivoting=True)
add('TridiagonalMatMul', 'TridiagonalMatMul', [BAND[:1], BAND[1:2], BAND[2:], r(5, 2)], lambda *a: DENSE @ a[3])

# Functions of mathematics, at arguments with closed forms.
SHAPES, X = np.array([1, 2, 5, 9, 30], np.float32), np.array([[.1], [1.5], [4], [12], [45]], np.float32)


def below(a, x):
    return 1 - math.exp(-x) * sum(x**k / math.factorial(k) for k in range(int(a)))


P = np.array([[below(a, x) for a in SHAPES.astype(float)] for x in X[:, 0].astype(float)])
add('Igamma', 'Igamma', [SHAPES, X], P)
add('Igammac', 'Igammac', [SHAPES, X], 1 - P)
COUNTS = np.array([[1, 1], [2, 5], [7, 3], [1, 6]], np.float32)
U = np.array([.02, .3, .5, .77, .99], np.float32)


def beta_share(a, b, x):
    n = int(a + b) - 1
    return sum(math.comb(n, j) * x**j * (1 - x)**(n - j) for j in range(int(a), n + 1))


add('Betainc', 'Betainc', [np.repeat(COUNTS[:, :1], 5, 1), np.repeat(COUNTS[:, 1:], 5, 1), np.repeat(U[None], 4, 0)],
    [[beta_share(a, b, x) for x in U.astype(float)] for a, b in COUNTS.astype(float)])


def zeta(x, q, terms=20000):
    last = q + terms
    return sum((q + k)**-x for k in range(terms)) + last**(1 - x) / (x - 1) + last**-x / 2


EXPONENTS, STARTS = np.array([1.5, 2, 3.5, 8], np.float32), np.array([.4, 1, 3, 20], np.float32)
add('Zeta', 'Zeta', [EXPONENTS, STARTS], [zeta(x, q) for x, q in zip(EXPONENTS.astype(float), STARTS.astype(float))])
add('Polygamma', 'Polygamma', [np.array([1, 2, 3, 1], np.float32), STARTS],
    [(-1)**(n + 1) * math.factorial(n) * zeta(n + 1, q) for n, q in zip((1, 2, 3, 1), STARTS.astype(float))])


def bessel(order, x):
    return sum((x / 2)**(2 * k + order) / (math.factorial(k) * math.factorial(k + order)) for k in range(60))


ARGUMENTS = np.array([-9, -3.75, -.5, 0, 1, 3, 4, 14], np.float32)
for order in (0, 1):
    values = np.array([bessel(order, x) for x in ARGUMENTS.astype(float)])
    scaled = values * np.exp(-np.abs(ARGUMENTS.astype(float)))
    add(f'BesselI{order}e', f'BesselI{order}e', [ARGUMENTS], scaled)
    add(f'BesselI{order}', f'BesselI{order}', [ARGUMENTS[1:7]], values[1:7])
FROM = np.array([0, 0, 1, 1, -1, -2, 3e-45, 5, np.inf], np.float32)
TO = np.array([1, -1, 2, 0, 0, -3, 0, 5, 0], np.float32)
add('NextAfter', 'NextAfter', [FROM, TO], np.nextafter(FROM, TO))

# Fourier transforms of several dimensions.
REAL, IMAGINARY = r(2, 3, 4, 5), r(2, 3, 4, 5)
Z = REAL + 1j * IMAGINARY
PARTS = [node('re', 'Real', ['f'], T='DT_COMPLEX64', Tout=F), node('im', 'Imag', ['f'], T='DT_COMPLEX64', Tout=F)]
for dims in (1, 2, 3):
    suffix = {1: '', 2: '2D', 3: '3D'}[dims]
    axes = tuple(range(-dims, 0))
    for op, function in (('FFT', np.fft.fftn), ('IFFT', np.fft.ifftn)):
        f = function(Z, axes=axes)
        add(op + suffix, 'Complex', [REAL, IMAGINARY], (f.real, f.imag), Tout='DT_COMPLEX64', fetches=['re', 'im'],
            nodes=[node('f', op + suffix, ['y'], Tcomplex='DT_COMPLEX64'), *PARTS])
    lengths = (4, 3, 6)[-dims:]
    f = np.fft.rfftn(REAL, lengths, axes=axes)
    add('RFFT' + suffix, 'RFFT' + suffix, [REAL, ints(*lengths)], (f.real, f.imag), constants=[1], Treal=F, Tcomplex='DT_COMPLEX64',
        fetches=['re', 'im'], nodes=[node('f', 'Identity', ['y'], T='DT_COMPLEX64'), *PARTS])
    add('IRFFT' + suffix, 'Complex', [f.real.astype(np.float32), f.imag.astype(np.float32), ints(*lengths)],
        np.fft.irfftn(f.astype(np.complex64), lengths, axes=axes), constants=[2], Tout='DT_COMPLEX64', fetches=['s'], inputs=2,
        nodes=[node('s', 'IRFFT' + suffix, ['y', 'x2'], Treal=F, Tcomplex='DT_COMPLEX64')])
add('Angle', 'Complex', [REAL, IMAGINARY], np.angle(Z), Tout='DT_COMPLEX64', fetches=['a'],
    nodes=[node('a', 'Angle', ['y'], T='DT_COMPLEX64', Tout=F)])

# Colours.
IMAGE = r(1, 4, 5, 3, low=0, high=1)
IMAGE[0, 0, 0], IMAGE[0, 0, 1] = .25, [.7, .7, .1]


def each_pixel(function, image):
    return np.array([function(*p) for p in image.reshape(-1, 3).astype(float)]).reshape(image.shape)


def turned(red, green, blue):
    h, s, v = colorsys.rgb_to_hsv(red, green, blue)
    return colorsys.hsv_to_rgb((h + .3) % 1, s, v)


def saturated(red, green, blue):
    h, s, v = colorsys.rgb_to_hsv(red, green, blue)
    return colorsys.hsv_to_rgb(h, min(s * 1.5, 1), v)


HALF = np.array(.3, np.float32)
add('RGBToHSV', 'RGBToHSV', [IMAGE], each_pixel(colorsys.rgb_to_hsv, IMAGE))
add('HSVToRGB', 'HSVToRGB', [IMAGE], each_pixel(colorsys.hsv_to_rgb, IMAGE))
add('AdjustHue', 'AdjustHue', [IMAGE, HALF], each_pixel(turned, IMAGE))
add('AdjustSaturation', 'AdjustSaturation', [IMAGE, np.array(1.5, np.float32)], each_pixel(saturated, IMAGE))
MEAN = IMAGE.mean((1, 2), keepdims=True)
add('AdjustContrastv2', 'AdjustContrastv2', [IMAGE, HALF], (IMAGE - MEAN) * .3 + MEAN)

# Losses.
SCORES, SHARES = r(3, 5), r(3, 5, low=0, high=.3)
E = np.exp(SCORES - SCORES.max(1, keepdims=True))
SOFT = E / E.sum(1, keepdims=True)
add('SoftmaxCrossEntropyWithLogits', 'SoftmaxCrossEntropyWithLogits', [SCORES, SHARES],
    (-(SHARES * np.log(SOFT)).sum(1), SOFT - SHARES), fetches=['y', 'y:1'])
add('SparseSoftmaxCrossEntropyWithLogits', 'SparseSoftmaxCrossEntropyWithLogits', [SCORES, ints(4, 0, 2)],
    (-np.log(SOFT[range(3), [4, 0, 2]]), SOFT - np.eye(5)[[4, 0, 2]]), fetches=['y', 'y:1'], Tlabels=I)

# Integers, lists and shapes.
NUMBERS = ints(0, 1, -1, 12345, -2147483648)
add('PopulationCount', 'PopulationCount', [NUMBERS], np.array([bin(v & 0xffffffff).count('1') for v in NUMBERS.tolist()], np.uint8), T=I)
LIST = ints(5, 3, 8, 3, 9)
add('ListDiff', 'ListDiff', [LIST, ints(3, 7)], (ints(5, 8, 9), ints(0, 2, 4)), fetches=['y', 'y:1'], T=I, out_idx=I)
add('Reverse', 'Reverse', [TALL, np.array([False, True])], TALL[:, ::-1], constants=[1])
add('NthElement', 'NthElement', [TALL.T.copy(), np.array(1, np.int32)], np.sort(TALL.T, 1)[:, 1], reverse=False)
add('NthElement_reverse', 'NthElement', [TALL.T.copy(), np.array(1, np.int32)], np.sort(TALL.T, 1)[:, -2], reverse=True)
add('ConcatOffset', 'ConcatOffset', [np.array(1, np.int32), ints(2, 3), ints(2, 5), ints(2, 1)], (ints(0, 0), ints(0, 3), ints(0, 8)),
    constants=[0], N=3, T=I, fetches=['y', 'y:1', 'y:2'])
add('SegmentMaxV2', 'SegmentMaxV2', [np.array([1, 5, -2], np.float32), ints(0, 0, 1), np.array(2, np.int32)],
    np.array([5, -2], np.float32), Tindices=I, Tnumsegments=I)
add('SparseMatMul', 'SparseMatMul', [TALL, r(5, 3)], lambda a, b: a.T @ b, transpose_a=True, transpose_b=False, Ta=F, Tb=F)

# Diagonals in bands, with the padding of each alignment.
WIDE = r(3, 4)


def band(matrix, low, high, align, padding):
    rows, columns = matrix.shape
    diagonals = [np.diag(matrix, k) for k in range(high, low - 1, -1)]
    longest = max(map(len, diagonals))
    out = np.full((len(diagonals), longest), padding, np.float32)
    for i, (k, d) in enumerate(zip(range(high, low - 1, -1), diagonals)):
        over, under = align.split('_')
        right = (k >= 0 and over == 'RIGHT') or (k <= 0 and under == 'RIGHT')
        out[i, longest - len(d) if right else 0:][:len(d)] = d
    return out


PADDING = np.array(7, np.float32)
for align in ('RIGHT_LEFT', 'LEFT_RIGHT', 'LEFT_LEFT', 'RIGHT_RIGHT'):
    cut = band(WIDE, -1, 2, align, 7)
    add(f'MatrixDiagPartV3_{align}', 'MatrixDiagPartV3', [WIDE, ints(-1, 2), PADDING], cut, constants=[1], align=align)
    kept = np.triu(np.tril(WIDE, 2), -1)
    add(f'MatrixDiagV3_{align}', 'MatrixDiagV3', [cut, ints(-1, 2), np.array(3, np.int32), np.array(4, np.int32), PADDING],
        np.where(np.triu(np.tril(np.ones((3, 4)), 2), -1) > 0, kept, 7), constants=[1, 2, 3], align=align)
    OTHER = r(3, 4)
    add(f'MatrixSetDiagV3_{align}', 'MatrixSetDiagV3', [OTHER, cut, ints(-1, 2)], OTHER - np.triu(np.tril(OTHER, 2), -1) + kept,
        constants=[2], align=align)
add('MatrixDiagV2_square', 'MatrixDiagV2', [band(WIDE[:, :3], -1, 1, 'LEFT_LEFT', 0), ints(-1, 1), np.array(-1, np.int32),
                                            np.array(-1, np.int32), np.array(0, np.float32)],
    np.triu(np.tril(WIDE[:, :3], 1), -1), constants=[1, 2, 3])

# Rounded to steps of 8 bits and back.
DATA = r(3, 6)


def rounded(x, low, high, least, most):
    scale = min(least / low if least * low > 0 else np.inf, most / high if most * high > 0 else np.inf)
    return np.clip(np.round(x * scale), least, most) / scale


LOW, HIGH = np.array(-1, np.float32), np.array(.7, np.float32)
QUANTIZED = {'signed_input': True, 'num_bits': 8, 'round_mode': 'HALF_TO_EVEN', 'narrow_range': False}
add('QuantizeAndDequantizeV2', 'QuantizeAndDequantizeV2', [DATA, LOW, HIGH], rounded(DATA, -1, .7, -128, 127), range_given=True, **QUANTIZED)
add('QuantizeAndDequantizeV2_data', 'QuantizeAndDequantizeV2', [DATA, LOW, HIGH], rounded(DATA, DATA.min(), DATA.max(), -128, 127),
    range_given=False, **QUANTIZED)
del QUANTIZED['num_bits']
add('QuantizeAndDequantizeV3', 'QuantizeAndDequantizeV3', [DATA, LOW, HIGH, np.array(6, np.int32)], rounded(DATA, -1, .7, -32, 31),
    constants=[3], range_given=True, **QUANTIZED)
