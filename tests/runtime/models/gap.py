def bindings(p, given):
    if given[0] == 0.0:
        p[0] = 0.5


def constants(p, c):
    c[0] = p[0]


def start(c, x):
    x[0] = 0.0


def nominals(c, n):
    n[0] = 1.0


def event_times(c, te):
    pass


def modes(t, c, m):
    pass


def derivatives(t, x, u, c, m, w, dx):
    dx[0] = 1.0


def variables(t, x, u, c, m, w, y):
    y[0] = 1.0 / (x[0] - c[0])
    y[1] = 2.0 * y[0]
