#!/usr/bin/env python3
"""Checks solutions of contact problems, independently of everything else in this repository.

    check_solutions.py PROBLEMS.jsonl SOLUTIONS.jsonl [options]

Reads tactus.problem/1 and tactus.solution/1 (docs/problem_format.md), recomputes the velocities from the impulses and measures
the complementarity conditions (docs/theory, section 3) in plain Python. Prints one line a problem family and the worst
numbers; exits 1 when an expectation given as an option does not hold.
"""
import argparse
import collections
import json
import math
import sys


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def norm(a):
    return math.sqrt(dot(a, a))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def add_scaled(a, scale, b):
    for i, x in enumerate(b):
        a[i] += scale * x


def cholesky(a):
    n = len(a)
    lower = [[0.0] * n for _ in range(n)]
    for j in range(n):
        for i in range(j, n):
            s = a[i][j] - math.fsum(lower[i][k] * lower[j][k] for k in range(j))
            lower[i][j] = math.sqrt(s) if i == j else s / lower[j][j]
    return lower


def solve_lower(lower, x):
    y = []
    for i, b in enumerate(x):
        y.append((b - math.fsum(lower[i][k] * y[k] for k in range(i))) / lower[i][i])
    return y


class Problem:
    """A problem whitened, with its joints eliminated (theory 2.1, 2.2)."""

    def __init__(self, problem):
        self.problem = problem
        self.dof = problem["dof"]
        self.linear = 3 if self.dof == 6 else 2
        self.bodies = problem["bodies"]
        self.inertia_factor = [
            cholesky(b["inertia_kgm2"] if self.dof == 6 else [[b["inertia_kgm2"]]]) for b in self.bodies
        ]
        size = self.dof * len(self.bodies)
        momentum = [0.0] * size
        for k, body in enumerate(self.bodies):
            h = problem["step_s"]
            for i in range(self.linear):
                momentum[self.dof * k + i] = body["mass_kg"] * body["velocity"][i] + h * body["wrench"][i]
            inertia = body["inertia_kgm2"] if self.dof == 6 else [[body["inertia_kgm2"]]]
            for i, row in enumerate(inertia):
                at = self.linear + i
                momentum[self.dof * k + at] = dot(row, body["velocity"][self.linear:]) + h * body["wrench"][at]
        self.momentum = momentum
        self.k = self.whiten(momentum)
        self.u_joint = [0.0] * size
        self.joint_space = []
        for joint in problem.get("joints") or []:
            white = self.whiten(self.joint_column(joint))
            rest = self.project(self.project(white))
            length = norm(rest)
            if length < 1e-9 * norm(white):
                continue
            rest = [x / length for x in rest]
            add_scaled(self.u_joint, (joint["speed"] - dot(white, self.u_joint)) / length, rest)
            self.joint_space.append(rest)
        self.k = self.project(self.k)

    def joint_column(self, joint):
        column = [0.0] * (self.dof * len(self.bodies))
        for body, block in ((joint["a"], joint["jacobian_a"]), (joint["b"], joint.get("jacobian_b"))):
            if body >= 0:
                column[self.dof * body:self.dof * (body + 1)] = block
        return column

    def whiten(self, x):
        """G^-1 x"""
        y = []
        for k, body in enumerate(self.bodies):
            block = x[self.dof * k:self.dof * (k + 1)]
            root = math.sqrt(body["mass_kg"])
            y += [v / root for v in block[:self.linear]] + solve_lower(self.inertia_factor[k], block[self.linear:])
        return y

    def project(self, v):
        v = list(v)
        for q in self.joint_space:
            add_scaled(v, -dot(q, v), q)
        return v

    def column(self, contact, d):
        """The generalised direction of d at the contact: on body a, and reversed on body b."""
        column = [0.0] * (self.dof * len(self.bodies))
        for body, sign in ((contact["a"], 1.0), (contact["b"], -1.0)):
            if body < 0:
                continue
            r = [p - c for p, c in zip(contact["point_m"], self.bodies[body]["position_m"])]
            moment = cross(r, d) if self.dof == 6 else [r[0] * d[1] - r[1] * d[0]]
            column[self.dof * body:self.dof * (body + 1)] = [sign * x for x in list(d) + moment]
        return column

    def directions(self, normal, tangent):
        if self.dof == 3:
            return [[-normal[1], normal[0]], [normal[1], -normal[0]]]
        count = self.problem.get("directions", 8)
        offset = self.problem.get("direction_offset_rad", 0.1)
        side = cross(normal, tangent)
        angles = [offset + 2 * math.pi * j / count for j in range(count)]
        return [[math.cos(a) * x + math.sin(a) * y for x, y in zip(tangent, side)] for a in angles]

    def surface_velocity(self, contact, tangent):
        w = contact.get("surface_velocity_mps")
        if w is None:
            return [0.0] * self.linear
        if len(w) == self.linear:
            return w
        n = contact["normal"]
        if self.dof == 3:
            return [-n[1] * w[0], n[0] * w[0]]
        return [w[0] * x + w[1] * y for x, y in zip(tangent, cross(n, tangent))]

    def check(self, solution):
        """@returns residual, momentum error, energy gain (0 where energy may be gained)"""
        momentum = list(self.momentum)
        impulse_sum = [0.0] * len(momentum)
        rows = []
        scale = norm(self.k)
        gains_energy = any(j["speed"] != 0 for j in self.problem.get("joints") or [])
        for i, contact in enumerate(self.problem["contacts"]):
            n, t = contact["normal"], solution["tangent"][i]
            w = self.surface_velocity(contact, t)
            gains_energy |= contact["gap_m"] < 0 or any(w)
            directions = self.directions(n, t)
            columns = [self.column(contact, d) for d in [n] + directions]
            raw = [self.whiten(c) for c in columns]
            white = [self.project(c) for c in raw]
            impulses = [solution["normal_impulse_Ns"][i]] + solution["friction_impulse_Ns"][i]
            for column, impulse in zip(columns, impulses):
                add_scaled(momentum, impulse, column)
            s_n = norm(white[0])
            if s_n <= 1e-6 * norm(raw[0]):
                continue  # held fast by the joints
            d = len(directions)
            s_t = math.sqrt(math.fsum(dot(c, c) for c in white[1:]) / d)  # mean over directions = (|X|^2 + |Y|^2)/2
            free = math.sqrt(math.fsum(dot(c, c) for c in raw[1:]) / d)
            if s_t <= 1e-6 * free:
                s_t = 1.0  # kept from slipping by the joints: only the surface's own motion is left of the slip
            mu = contact["friction"] * s_t / s_n
            for column, impulse in zip(white, impulses):
                add_scaled(impulse_sum, impulse, column)
            b = (contact["gap_m"] / self.problem["step_s"] - dot(n, w) + dot(raw[0], self.u_joint)) / s_n
            tau = [(dot(r, self.u_joint) - dot(x, w)) / s_t for r, x in zip(raw[1:], directions)]
            epsilon = (contact.get("compliance_mps_per_Ns") or 0.0) / s_n**2
            theta, phi = impulses[0] * s_n, [p * s_t for p in impulses[1:]]
            scale = max(scale, theta)
            rows.append((white, s_n, s_t, b, tau, epsilon, mu, theta, phi))
        u = [x + y for x, y in zip(self.k, self.project(impulse_sum))]
        scale = scale if scale > 0 else 1.0
        worst = 0.0
        for white, s_n, s_t, b, tau, epsilon, mu, theta, phi in rows:
            violations = [min(dot(white[0], u) / s_n + b + epsilon * theta, theta)]
            if mu == 0:
                violations += phi
            else:
                slip = [dot(c, u) / s_t + x for c, x in zip(white[1:], tau)]
                lam = max(0.0, max(-s for s in slip))
                violations += [min(s + lam, p) for s, p in zip(slip, phi)]
                violations.append(min(mu * theta - math.fsum(phi), lam))
            for violation in violations:
                worst = max(worst, abs(violation)) if violation == violation else math.inf
        for joint, impulse in zip(self.problem.get("joints") or [], solution["joint_impulse_Ns"]):
            add_scaled(momentum, impulse, self.joint_column(joint))
        error = [x - y for x, y in zip(momentum, self.momentum_of(solution["velocity"]))]
        before = dot(self.k, self.k)
        gain = 0.0 if gains_energy or before == 0 else (dot(u, u) - before) / before
        return worst / scale, norm(self.whiten(error)) / scale, gain

    def momentum_of(self, velocity):
        momentum = []
        for body, twist in zip(self.bodies, velocity):
            momentum += [body["mass_kg"] * v for v in twist[:self.linear]]
            inertia = body["inertia_kgm2"] if self.dof == 6 else [[body["inertia_kgm2"]]]
            momentum += [dot(row, twist[self.linear:]) for row in inertia]
        return momentum


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems")
    parser.add_argument("solutions")
    parser.add_argument("--max-residual", type=float, default=1e-8, help="of what is called solved (default: %(default)s)")
    parser.add_argument("--max-momentum-error", type=float, default=1e-8, help="of what is called solved (default: %(default)s)")
    parser.add_argument("--max-energy-gain", type=float, default=1e-9, help="default: %(default)s")
    parser.add_argument("--status", help="expect this status everywhere")
    parser.add_argument("--min-solved", type=float, default=0.0, help="share of problems that must be solved")
    parser.add_argument("--min-zero-pivots", type=float, help="share of problems that must be solved without a pivot")
    parser.add_argument("--max-mean-pivots", type=float)
    parser.add_argument("--max-pivots", type=int)
    return parser.parse_args()


class Family:
    def __init__(self):
        self.statuses = collections.Counter()
        self.pivots = []
        self.residual = self.momentum = 0.0
        self.gain = -math.inf

    def line(self, name):
        total = sum(self.statuses.values())
        statuses = " ".join(f"{s}:{n}" for s, n in sorted(self.statuses.items()))
        return (f"{name:24} {total:6} {statuses:28} residual {self.residual:8.1e} momentum {self.momentum:8.1e} "
                f"energy {self.gain:+8.1e} pivots mean {sum(self.pivots) / total:6.2f} max {max(self.pivots):4}")


def main():
    args = parse_arguments()
    complaints = []
    families = collections.OrderedDict()
    everything = Family()
    with open(args.problems, encoding="utf-8") as problems, open(args.solutions, encoding="utf-8") as solutions:
        problem_lines, solution_lines = [line for line in problems if line.strip()], list(solutions)
    if len(problem_lines) != len(solution_lines):
        complaints.append(f"{len(problem_lines)} problems, {len(solution_lines)} solutions")
    for problem_line, solution_line in zip(problem_lines, solution_lines):
        problem, solution = json.loads(problem_line), json.loads(solution_line)
        name = problem["name"]
        if solution["name"] != name:
            complaints.append(f"{name}: the solution is for {solution['name']}")
        if args.status and solution["status"] != args.status:
            complaints.append(f"{name}: {solution['status']}, expected {args.status} {solution.get('error', '')}")
        measured = [families.setdefault(name.split("/")[0], Family()), everything]
        for family in measured:
            family.statuses[solution["status"]] += 1
            family.pivots.append(solution["pivots"])
        if solution["status"] == "invalid":
            continue
        residual, momentum, gain = Problem(problem).check(solution)
        if gain > args.max_energy_gain:
            complaints.append(f"{name}: energy grew by {gain:.3e}")
        if solution["status"] != "solved":
            continue
        for family in measured:
            family.residual = max(family.residual, residual)
            family.momentum = max(family.momentum, momentum)
            family.gain = max(family.gain, gain)
        if residual > args.max_residual:
            complaints.append(f"{name}: called solved with residual {residual:.3e} (it says {solution['residual']:.3e})")
        if momentum > args.max_momentum_error:
            complaints.append(f"{name}: velocities are not those of the impulses: {momentum:.3e}")
    total = len(everything.pivots)
    if total == 0:
        complaints.append("nothing to check")
    else:
        solved = everything.statuses["solved"] / total
        zero = sum(p == 0 for p in everything.pivots) / total
        mean = sum(everything.pivots) / total
        if solved < args.min_solved:
            complaints.append(f"{solved:.4%} solved, expected {args.min_solved:.4%}")
        if args.min_zero_pivots is not None and zero < args.min_zero_pivots:
            complaints.append(f"{zero:.2%} without a pivot, expected {args.min_zero_pivots:.2%}")
        if args.max_mean_pivots is not None and mean > args.max_mean_pivots:
            complaints.append(f"{mean:.3f} pivots in the mean, expected at most {args.max_mean_pivots}")
        if args.max_pivots is not None and max(everything.pivots) > args.max_pivots:
            complaints.append(f"{max(everything.pivots)} pivots, expected at most {args.max_pivots}")
        for name, family in families.items():
            print(family.line(name))
        print(everything.line("all") + f" zero {zero:.1%}")
    for complaint in complaints[:20]:
        print("FAILED:", complaint)
    if len(complaints) > 20:
        print(f"FAILED: and {len(complaints) - 20} more")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
