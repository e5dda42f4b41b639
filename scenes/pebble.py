#!/usr/bin/env python3
"""Writes pebble.stl, a smooth body with a dent in its top, in metres:

    python3 scenes/pebble.py pebble.stl
    ./dev tactus scene bake pebble.stl --resolution 1.5mm --band 8mm --out scenes/pebble.tsdf

In the direction n from its middle its surface is R (1 - a z^2 + b (x^3 - 3 x y^2)) away: a disk with a dent on both sides and
three lobes. At the top (n = z) that is R (1 - a) = 15.6 mm, the surface is level there, and by the series of r in the angle
from z its curvature is 2 (R a/r^2 - 1/(2 r)) = 21.4/m: a ball of up to 46 mm radius rests in the dent.
"""
import math
import struct
import sys

R, A, B = 0.026, 0.4, 0.1
HALVINGS = 6  # of an icosahedron's edges: 81 920 triangles, 0.4 mm long, flat to 1.5 um


def sphere():
    # Turned so that a corner is at the top.
    corners = [(0, 0, 1), (0, 0, -1)]
    for ring, sign in ((0, 1), (1, -1)):
        for i in range(5):
            turn = 2 * math.pi * (i + ring / 2) / 5
            corners.append((2 / math.sqrt(5) * math.cos(turn), 2 / math.sqrt(5) * math.sin(turn), sign / math.sqrt(5)))
    up, down = [2, 3, 4, 5, 6], [7, 8, 9, 10, 11]
    triangles = []
    for i in range(5):
        k = (i + 1) % 5
        triangles += [(0, up[i], up[k]), (up[i], down[i], up[k]), (up[k], down[i], down[k]), (1, down[k], down[i])]
    return corners, triangles


def halved(corners, triangles):
    middle = {}

    def between(i, k):
        key = (min(i, k), max(i, k))
        if key not in middle:
            p = [u + v for u, v in zip(corners[i], corners[k])]
            length = math.sqrt(sum(u * u for u in p))
            middle[key] = len(corners)
            corners.append(tuple(u / length for u in p))
        return middle[key]

    out = []
    for a, b, c in triangles:
        ab, bc, ca = between(a, b), between(b, c), between(c, a)
        out += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
    return out


def place(n):
    x, y, z = n
    r = R * (1 - A * z * z + B * (x**3 - 3 * x * y * y))
    return r * x, r * y, r * z


def main(path):
    corners, triangles = sphere()
    for _ in range(HALVINGS):
        triangles = halved(corners, triangles)
    places = [place(n) for n in corners]
    with open(path, "wb") as out:
        out.write(b"pebble".ljust(80) + struct.pack("<I", len(triangles)))
        for triangle in triangles:
            out.write(struct.pack("<12fH", 0, 0, 0, *(x for i in triangle for x in places[i]), 0))


if __name__ == "__main__":
    main(*sys.argv[1:])
