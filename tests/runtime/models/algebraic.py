def bindings(p, given):
    if given[0] == 0.0:
        p[0] = 2.0


def constants(p, c):
    c[0] = p[0]


def starts(c, s):
    pass


def start(t, u, c, m, s, w, x):
    pass


def time_events(c, m, te):
    pass


def derivatives(t, x, u, c, m, w, dx):
    pass


def variables(t, x, u, c, m, w, y):
    w[0] = 1.0
    w[1] = 3.0
    w[2] = 2.0
    w[3] = 1.0
    w[4] = 1.0
    w[5] = sin(c[0] * t)
    b = [w[4], w[5]]
    solve(2, 1, 1, w, b)
    y[0] = b[0]
    y[1] = b[1]


def crossings(t, x, u, c, m, w, g):
    pass


def updates(t, x, u, c, m, f, w, e):
    pass


def nominals(c, n):
    pass


def jacobian(t, x, u, c, m, w, j):
    pass


def watch(c, m, w, h):
    pass


def delayed(t, x, u, c, m, w, v):
    pass
