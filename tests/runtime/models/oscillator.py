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


def start(c, x):
    x[0] = 1.0
    x[1] = 0.0


def nominals(c, n):
    n[0] = 1.0
    n[1] = 1.0


def event_times(c, te):
    pass


def modes(t, c, m):
    pass


def derivatives(t, x, u, c, m, w, dx):
    w[0] = c[0] * x[0]
    dx[0] = x[1]
    dx[1] = -w[0] - c[1] * x[1]


def variables(t, x, u, c, m, w, y):
    w[0] = c[0] * x[0]
    y[0] = -w[0] - c[1] * x[1]
    y[1] = (x[1] * x[1] + w[0] * x[0]) * 0.5
