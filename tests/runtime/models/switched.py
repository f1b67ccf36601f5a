def bindings(p, given):
    if given[0] == 0.0:
        p[0] = 0.3
    if given[1] == 0.0:
        p[1] = 2.0 * p[0]


def constants(p, c):
    c[0] = p[0]
    c[1] = p[1]


def start(c, x):
    x[0] = 0.0


def nominals(c, n):
    n[0] = 1.0


def event_times(c, te):
    te[0] = c[0]
    te[1] = c[1]


def modes(t, c, m):
    m[0] = 1.0 if t > c[0] else 0.0
    m[1] = 1.0 if t < c[1] else 0.0


def derivatives(t, x, u, c, m, w, dx):
    w[0] = 1.0 if m[0] * m[1] != 0.0 else 0.0
    dx[0] = w[0] + u[0]


def variables(t, x, u, c, m, w, y):
    y[0] = 1.0 if m[0] * m[1] != 0.0 else 0.0
