def bindings(p, given):
    pass


def constants(p, c):
    pass


def start(c, x):
    x[0] = 1.0


def nominals(c, n):
    n[0] = 1.0


def event_times(c, te):
    pass


def modes(t, c, m):
    pass


def derivatives(t, x, u, c, m, w, dx):
    dx[0] = x[0] * x[0]


def variables(t, x, u, c, m, w, y):
    y[0] = x[0] * x[0]
