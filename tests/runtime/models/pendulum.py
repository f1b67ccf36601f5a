def bindings(p, given):
    if given[0] == 0.0:
        p[0] = 9.81
    if given[1] == 0.0:
        p[1] = 1.0


def constants(p, c):
    c[0] = p[0]
    c[1] = p[1]


def starts(c, s):
    s[0] = 1.5
    s[1] = c[1]
    s[2] = 0.0
    s[3] = 0.0


def start(t, u, c, m, s, w, x):
    x[0] = s[0]
    x[1] = s[1]
    x[2] = s[2]
    x[3] = s[3]


def time_events(c, m, te):
    pass


def derivatives(t, x, u, c, m, w, dx):
    w[6] = x[0] - x[1]
    w[0] = 2.0
    w[1] = cos(w[6])
    w[2] = w[1]
    w[3] = 1.0
    w[4] = -sin(w[6]) * x[3] * x[3] - 2.0 * c[0] * sin(x[0])
    w[5] = sin(w[6]) * x[2] * x[2] - c[0] * sin(x[1])
    b = [w[4], w[5]]
    solve(2, 1, 1, w, b)
    dx[0] = x[2]
    dx[1] = x[3]
    dx[2] = b[0]
    dx[3] = b[1]


def variables(t, x, u, c, m, w, y):
    y[0] = x[2] * x[2] + 0.5 * x[3] * x[3] + x[2] * x[3] * cos(x[0] - x[1]) - 2.0 * c[0] * cos(x[0]) - c[0] * cos(x[1])


def crossings(t, x, u, c, m, w, g):
    pass


def updates(t, x, u, c, m, f, w, e):
    e[0] = x[0]
    e[1] = x[1]
    e[2] = x[2]
    e[3] = x[3]


def nominals(c, n):
    n[0] = 1.0
    n[1] = 1.0
    n[2] = 1.0
    n[3] = 1.0


def jacobian(t, x, u, c, m, w, j):
    pass


def watch(c, m, w, h):
    pass


def delayed(t, x, u, c, m, w, v):
    pass
