def bindings(p, given):
    pass


def constants(p, c):
    pass


def starts(c, s):
    s[0] = 1.0


def start(t, u, c, m, s, w, x):
    x[0] = s[0]


def time_events(c, m, te):
    pass


def derivatives(t, x, u, c, m, w, dx):
    dx[0] = x[0] * x[0]


def variables(t, x, u, c, m, w, y):
    y[0] = x[0] * x[0]


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
