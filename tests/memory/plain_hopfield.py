"""The modern Hopfield network as its equations are printed: one state at a time, sums written out."""

import math

import numpy as np
import twin


def softmax(scores, beta):
    largest = max(scores)
    if beta == math.inf:
        exponentials = [float(score == largest) for score in scores]
    else:
        exponentials = [math.exp(beta * (score - largest)) for score in scores]
    return np.array(exponentials) / sum(exponentials)


def dot(x, y):
    return math.fsum(a * b for a, b in zip(x, y, strict=True))


def update(keys, values, beta, state):
    """V softmax(β Xᵀξ)."""
    weights = softmax([dot(x, state) for x in keys], beta)
    return np.array([dot(weights, column) for column in np.asarray(values).T])


def energy(keys, beta, state):
    """−lse(β, Xᵀξ) + ½ ξᵀξ."""
    scores = [dot(x, state) for x in keys]
    largest = max(scores)
    lse = largest
    if beta != math.inf:
        lse += math.log(math.fsum(math.exp(beta * (score - largest)) for score in scores)) / beta
    return 0.5 * dot(state, state) - lse


def winners(recalled, k, cue):
    out = np.zeros(len(recalled), np.uint8)
    out[twin.k_winners(recalled.astype(np.float32), k, np.flatnonzero(cue))] = 1
    return out
