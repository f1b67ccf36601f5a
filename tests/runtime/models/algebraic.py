def bindings(p, given):
    if given[0] == 0.0:
        p[0] = 2.0


def constants(p, c):
    c[0] = p[0]


def start(c, x):
    pass


def nominals(c, n):
    pass


def event_times(c, te):
    pass


def modes(t, c, m):
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
    solve(2, w, b)
    y[0] = b[0]
    y[1] = b[1]
