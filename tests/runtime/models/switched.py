def bindings(p, given):
    if given[0] == 0.0:
        p[0] = 0.3
    if given[1] == 0.0:
        p[1] = 2.0 * p[0]


def constants(p, c):
    c[0] = p[0]
    c[1] = p[1]


def starts(c, s):
    s[0] = 0.0


def start(t, u, c, m, s, w, x):
    x[0] = s[0]


def time_events(c, m, te):
    te[0] = c[0]
    te[1] = 1.0
    te[2] = c[1]
    te[3] = 1.0


def derivatives(t, x, u, c, m, w, dx):
    w[0] = 1.0 if m[0] * m[1] != 0.0 else 0.0
    dx[0] = w[0] + u[0]


def variables(t, x, u, c, m, w, y):
    y[0] = 1.0 if m[0] * m[1] != 0.0 else 0.0
    y[1] = t
    y[2] = c[0]
    y[3] = t
    y[4] = c[1]


def crossings(t, x, u, c, m, w, g):
    pass


def updates(t, x, u, c, m, f, w, e):
    e[0] = x[0]


def nominals(c, n):
    n[0] = 1.0


def jacobian(t, x, u, c, m, w, j):
    pass


def watch(c, m, w, h):
    pass


def delayed(t, x, u, c, m, w, v):
    pass
