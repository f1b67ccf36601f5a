def bindings(p, given):
    if given[0] == 0.0:
        p[0] = 4.0
    if given[1] == 0.0:
        p[1] = 0.1 * p[0]
    if given[2] == 0.0:
        p[2] = 1.5


def constants(p, c):
    c[0] = p[0] * p[0] / p[0]
    c[1] = 2.0 * p[1]


def starts(c, s):
    s[0] = 1.0
    s[1] = 0.0


def start(t, u, c, m, s, w, x):
    x[0] = s[0]
    x[1] = s[1]


def time_events(c, m, te):
    pass


def derivatives(t, x, u, c, m, w, dx):
    w[0] = c[0] * x[0]
    dx[0] = x[1]
    dx[1] = -w[0] - c[1] * x[1]


def variables(t, x, u, c, m, w, y):
    w[0] = c[0] * x[0]
    y[0] = -w[0] - c[1] * x[1]
    y[1] = (x[1] * x[1] + w[0] * x[0]) * 0.5


def crossings(t, x, u, c, m, w, g):
    pass


def updates(t, x, u, c, m, f, w, e):
    e[0] = x[0]
    e[1] = x[1]


def nominals(c, n):
    n[0] = 1.0
    n[1] = 1.0


def jacobian(t, x, u, c, m, w, j):
    pass


def watch(c, m, w, h):
    pass


def delayed(t, x, u, c, m, w, v):
    pass
