"""What the extra `fast` computes, compiled by numba; whoever imports this file has it installed.

Between the two products of a round numpy passes four times over the coefficients: less the centres, times the
gains, squared lengths, times the factors. Here it is twice.

Normals in single precision: Philox 4x32 with ten rounds (Salmon, Moraes, Dror and Shaw, "Parallel random
numbers: as easy as 1, 2, 3", 2011), then Box and Muller's pairs, by polynomials for log, sine and cosine
(Moshier's Cephes, single precision) so that the loop is carried out on vectors.
"""

import numba
import numpy as np

from synthetic.engine.arithmetic import Array

# Sums in any order and fused multiply-adds, so that loops become vector instructions; no other liberty: what
# is infinite or no number stays it.
FAST = {"reassoc", "contract"}

f32, i32, u32, u64 = np.float32, np.int32, np.uint32, np.uint64
Words = tuple[np.uint32, np.uint32]
MULTIPLIERS = u64(0xD2511F53), u64(0xCD9E8D57)
INCREMENTS = u32(0x9E3779B9), u32(0xBB67AE85)
UPPER = u64(32)
ROOT_HALF = i32(0x3F3504F3)  # the bits of sqrt(1/2)
LOG_2 = f32(0.6931471805599453)
SPREAD = f32(2.0**-32)
EIGHTH_TURN = f32(np.pi / 4 * 2.0**-31)


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def centred(raw: Array, places: Array, gains: Array, squares: Array, before: Array) -> None:
    """Replace raw (R, n, k) by (raw - places) gains and return its squared lengths (R, n).

    before: (R,), the squared length of raw - places along the whole row.
    """
    rows, clients, width = raw.shape
    for r in range(rows):
        row_total = 0.0
        for i in range(clients):
            total = 0.0
            for j in range(width):
                away = raw[r, i, j] - places[i, j]
                row_total += away * away
                update = away * gains[i, j]
                raw[r, i, j] = update
                total += update * update
            squares[r, i] = total
        before[r] = row_total


@numba.njit(cache=True, nogil=True)
def scaled(vectors: Array, factors: Array, out: Array) -> None:
    """vectors (R, n, k), each times its own factor (R, n)."""
    rows, clients, width = vectors.shape
    for r in range(rows):
        for i in range(clients):
            factor = factors[r, i]
            for j in range(width):
                out[r, i, j] = vectors[r, i, j] * factor


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _log(u: np.float32) -> np.float32:
    bits = np.float32(u).view(np.int32)
    exponent = i32(i32(bits - ROOT_HALF) >> i32(23))
    # u = 2^exponent (1 + z) with 1 + z between the root of 1/2 and that of 2
    z = np.int32(bits - i32(exponent << i32(23))).view(np.float32) - f32(1)
    y = f32(7.0376836292e-2)
    y = y * z - f32(1.1514610310e-1)
    y = y * z + f32(1.1676998740e-1)
    y = y * z - f32(1.2420140846e-1)
    y = y * z + f32(1.4249322787e-1)
    y = y * z - f32(1.6668057665e-1)
    y = y * z + f32(2.0000714765e-1)
    y = y * z - f32(2.4999993993e-1)
    y = y * z + f32(3.3333331174e-1)
    square = z * z
    return z - f32(0.5) * square + y * z * square + f32(exponent) * LOG_2


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def _pair(x: np.uint32, y: np.uint32) -> tuple[np.float32, np.float32]:
    """Two independent normals from two words: a length from x, a direction from y."""
    # never 0, so that the logarithm is finite; at most sqrt(2 log 2^33) = 6.8
    length = np.sqrt(f32(-2) * _log((f32(x) + f32(0.5)) * SPREAD))
    # which quarter of the circle from the two upper bits, where in it from the others
    quarter = u32(y >> u32(30))
    a = f32(i32(u32(y << u32(2)))) * EIGHTH_TURN
    square = a * a
    sine = ((f32(-1.9515295891e-4) * square + f32(8.3321608736e-3)) * square - f32(1.6666654611e-1)) * square
    sine = sine * a + a
    cosine = (f32(2.443315711809948e-5) * square - f32(1.388731625493765e-3)) * square
    cosine = (cosine + f32(4.166664568298827e-2)) * square * square - f32(0.5) * square + f32(1)
    odd = u32(quarter & u32(1)) != u32(0)
    one, two = (sine, cosine) if odd else (cosine, sine)
    one = -one if quarter == u32(1) or quarter == u32(2) else one
    two = -two if quarter >= u32(2) else two
    return length * one, length * two


@numba.njit(cache=True, nogil=True, inline="always")
def words(count: np.uint32, upper: Words, key: Words) -> tuple[np.uint32, np.uint32, np.uint32, np.uint32]:
    """Philox at the counter (count, 0, *upper)."""
    a, b, c, d = u32(count), u32(0), u32(upper[0]), u32(upper[1])
    one, two = u32(key[0]), u32(key[1])
    for _ in range(10):
        p, q = u64(a) * MULTIPLIERS[0], u64(c) * MULTIPLIERS[1]
        a, b, c, d = u32(u32(q >> UPPER) ^ b ^ one), u32(q), u32(u32(p >> UPPER) ^ d ^ two), u32(p)
        one, two = u32(one + INCREMENTS[0]), u32(two + INCREMENTS[1])
    return a, b, c, d


@numba.njit(cache=True, nogil=True, fastmath=FAST)
def fill_with_normals(upper: Words, key: Words, out: Array) -> None:
    """out: a flat array whose length is a multiple of 4."""
    quarter = len(out) // 4
    for count in range(quarter):
        a, b, c, d = words(u32(count), upper, key)
        # each in a quarter of its own: neighbours in memory are neighbours in the vector registers
        out[count], out[quarter + count] = _pair(a, b)
        out[2 * quarter + count], out[3 * quarter + count] = _pair(c, d)
