"""Ed25519 signing as RFC 8032, section 5.1, has it, in plain Python.

It is for test keys only: it is slow, and how long it takes tells something about the key. Where a real key signs, use a library that is
made for it.
"""

import hashlib

P = 2**255 - 19  # the field
ORDER = 2**252 + 27742317777372353535851937790883648493  # of the base point
D = -121665 * pow(121666, P - 2, P) % P  # the curve: -x² + y² = 1 + D·x²·y²

# A point (x, y) is (X, Y, Z, T) with x = X/Z, y = Y/Z and x·y = T/Z, so that adding needs no division.
IDENTITY = (0, 1, 1, 0)


def point(x, y):
    return (x, y, 1, x * y % P)


BASE = point(
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
)


def public_key(seed):
    """The 32 bytes of the public key that belongs to a seed of 32 bytes."""
    scalar, _ = expand(seed)
    return encode(multiply(scalar, BASE))


def sign(seed, message):
    """The 64 bytes of the signature of a message, made with the key of a seed of 32 bytes. The same message has always the same one."""
    scalar, prefix = expand(seed)
    nonce = number(prefix + message) % ORDER
    commitment = encode(multiply(nonce, BASE))
    challenge = number(commitment + public_key(seed) + message) % ORDER
    return commitment + ((nonce + challenge * scalar) % ORDER).to_bytes(32, "little")


def expand(seed):
    if len(seed) != 32:
        raise ValueError(f"an Ed25519 seed has 32 bytes, not {len(seed)}")
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little")
    scalar = scalar & ((1 << 254) - 8) | (1 << 254)  # a multiple of 8 whose highest bit is bit 254
    return scalar, digest[32:]


def number(data):
    return int.from_bytes(hashlib.sha512(data).digest(), "little")


def add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(scalar, q):
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = add(result, q)
        q = add(q, q)
        scalar >>= 1
    return result


def encode(q):
    """A point's 32 bytes: y, and in the highest bit whether x is odd."""
    inverse = pow(q[2], P - 2, P)
    x, y = q[0] * inverse % P, q[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")
