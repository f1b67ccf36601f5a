def bindings(p, given):
    if given[0] == 0.0:
        p[0] = 1.0


def constants(p, c):
    c[0] = p[0]


def starts(c, s):
    s[0] = c[0]
    s[1] = 0.0


def start(t, u, c, m, s, w, x):
    x[0] = s[0]
    x[1] = s[1]


def time_events(c, m, te):
    pass


def derivatives(t, x, u, c, m, w, dx):
    dx[0] = -1.0
    dx[1] = 2.0 * log(x[0])


def variables(t, x, u, c, m, w, y):
    y[0] = log(x[0])
    y[1] = 2.0 * y[0]


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
