/* Finds where convex shapes touch, and the force of that: points, widened by a box along the axes of their frame and by
   a radius; at most 64 corners. Vectors are resolved in frame a; the shape of b is given in frame b, to which T turns,
   with its origin at r.

   The normal is the direction of the least distance of the shapes without their radii (P. Wolfe, Finding the nearest
   point in a polytope, 1976). It changes continuously while these are apart: for depths below the sum of the radii. */

#include <math.h>
#include <string.h>

#define MOST 64
#define SETTLING 1e-3 /* time constant in s with which a creeping shape comes to rest */
#define DOT(a, b) ((a)[0] * (b)[0] + (a)[1] * (b)[1] + (a)[2] * (b)[2])

struct shape {
    double points[MOST][3];
    const double *T, *r; /* null in frame a */
    int count;
};

struct motion {
    const double *v, *w, *law, *stretch; /* law: c, d, exponent, mu, v_small */
};

/* Where shapes touch, from the origin of b, and the forces along the normal. */
struct contact {
    int m;
    double p[2 * MOST][3], N[2 * MOST];
};

static void combine(double s, const double *x, double t, const double *y, double *z)
{
    for (int k = 0; k < 3; k++) z[k] = s * x[k] + t * y[k];
}

static void cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
}

static struct shape shape_of(const double *points, double n, const double *box, const double *T, const double *r)
{
    struct shape s = {{{0}}, T, r, n > MOST ? MOST : (int)n};
    memcpy(s.points, points, (size_t)(3 * s.count) * sizeof *points);
    for (int i = 0; i < 3; i++) {
        if (box[i] <= 0 || 2 * s.count > MOST) continue;
        for (int k = 0; k < s.count; k++) {
            memcpy(s.points[s.count + k], s.points[k], sizeof s.points[k]);
            s.points[k][i] -= 0.5 * box[i], s.points[s.count + k][i] += 0.5 * box[i];
        }
        s.count *= 2;
    }
    return s;
}

static void point_of(const struct shape *s, int k, double *p)
{
    const double *q = s->points[k];
    if (!s->T) memcpy(p, q, 3 * sizeof *p);
    else
        for (int i = 0; i < 3; i++) p[i] = s->r[i] + s->T[i] * q[0] + s->T[3 + i] * q[1] + s->T[6 + i] * q[2];
}

/* The point that is farthest in the direction x, and how far. */
static double farthest(const struct shape *s, const double *x, double *p)
{
    double y[3] = {x[0], x[1], x[2]}, best = -INFINITY, value;
    int found = 0;
    if (s->T)
        for (int i = 0; i < 3; i++) y[i] = DOT(s->T + 3 * i, x);
    for (int k = 0; k < s->count; k++)
        if ((value = DOT(s->points[k], y)) > best) best = value, found = k;
    point_of(s, found, p);
    return DOT(p, x);
}

/* ---- the least distance ---- */

/* Up to four pairs of points, whose differences d span what is nearest to zero: in the point with the weights l. */
struct corral {
    int m;
    double a[4][3], d[4][3], l[4];
};

/* The weights of the point nearest to zero in the plane of all d; 0 if these depend on each other. */
static int nearest_weights(const struct corral *s, double *y)
{
    double q[3][3], e[3], R[3][3], b[3], size;
    y[0] = 1;
    for (int i = 0; i + 1 < s->m; i++) {
        combine(1, s->d[i + 1], -1, s->d[0], e);
        size = sqrt(DOT(e, e));
        for (int pass = 0; pass < 2; pass++)
            for (int j = 0; j < i; j++) {
                double part = DOT(q[j], e);
                R[j][i] = pass ? R[j][i] + part : part;
                combine(1, e, -part, q[j], e);
            }
        R[i][i] = sqrt(DOT(e, e));
        if (R[i][i] <= 1e-12 * size) return 0;
        combine(1 / R[i][i], e, 0, e, q[i]);
        b[i] = -DOT(q[i], s->d[0]);
    }
    for (int i = s->m - 2; i >= 0; i--) {
        for (int j = i + 1; j + 1 < s->m; j++) b[i] -= R[i][j] * y[j + 1];
        y[i + 1] = b[i] / R[i][i];
        y[0] -= y[i + 1];
    }
    return 1;
}

/* Moves to the nearest point, and drops points without a part in it; 0 if that is not possible. */
static int settle(struct corral *s)
{
    double y[4];
    for (;;) {
        double step = 1;
        int kept = 0;
        if (!nearest_weights(s, y)) return 0;
        for (int i = 0; i < s->m; i++)
            if (y[i] <= 0 && s->l[i] / (s->l[i] - y[i]) < step) step = s->l[i] / (s->l[i] - y[i]);
        for (int i = 0; i < s->m; i++) {
            double weight = s->l[i] + step * (y[i] - s->l[i]);
            if (weight <= 1e-15 || (step < 1 && y[i] <= 0 && s->l[i] / (s->l[i] - y[i]) <= step)) continue;
            memmove(s->a[kept], s->a[i], sizeof s->a[0]), memmove(s->d[kept], s->d[i], sizeof s->d[0]);
            s->l[kept++] = weight;
        }
        s->m = kept;
        if (step >= 1) return 1;
    }
}

/* x := from the nearest point pa of a to that of b, which is moved by `shift`; the distance, zero if the hulls overlap.
   It ends where rounding lets no point come nearer: the error of the direction is the root of that of the length. */
static double nearest(const struct shape *a, const struct shape *b, const double *shift, double *x, double *pa)
{
    struct corral s = {1, {{0}}, {{0}}, {1}};
    double p[3], q[3], d[3], back[3], before = INFINITY, large;
    point_of(a, 0, s.a[0]), point_of(b, 0, q);
    combine(1, q, 1, shift, q), combine(1, q, -1, s.a[0], s.d[0]);
    large = DOT(s.d[0], s.d[0]);
    for (int round = 0; round < 200; round++) {
        double y[3] = {0}, square;
        for (int i = 0; i < s.m; i++) combine(1, y, s.l[i], s.d[i], y);
        square = DOT(y, y);
        if (s.m == 4 || square <= 1e-24 * large) return 0;
        if (square >= before) break;
        before = square, memcpy(x, y, sizeof y), memset(pa, 0, sizeof y);
        for (int i = 0; i < s.m; i++) combine(1, pa, s.l[i], s.a[i], pa);
        combine(-1, x, 0, x, back);
        farthest(a, x, p), farthest(b, back, q);
        combine(1, q, 1, shift, q), combine(1, q, -1, p, d);
        if (DOT(d, d) > large) large = DOT(d, d);
        if (square - DOT(x, d) <= 1e-16 * sqrt(square * large)) break;
        memcpy(s.a[s.m], p, sizeof p), memcpy(s.d[s.m], d, sizeof d), s.l[s.m++] = 0;
        if (!settle(&s)) break;
    }
    return sqrt(before);
}

/* By how much the hulls overlap along a direction. */
static double overlap(const struct shape *a, const struct shape *b, const double *n)
{
    double p[3], back[3];
    combine(-1, n, 0, n, back);
    return farthest(a, n, p) + farthest(b, back, p);
}

/* n := the direction from a to b in which they are apart by the distance that is returned, or overlap least: that of an
   axis of one of them or of their origins, then improved. p := the middle of the nearest points. */
static double apart(const struct shape *a, const struct shape *b, double *n, double *p)
{
    double x[3], none[3] = {0}, d = nearest(a, b, none, x, p), least = INFINITY, other;
    if (d > 0) {
        combine(1 / d, x, 0, x, n), combine(1, p, 0.5, x, p);
        return d;
    }
    for (int k = 0; k < 21; k++) {
        double e[3] = {0}, size = sqrt(DOT(b->r, b->r)), lowest;
        if (k < 6) e[k / 2] = k % 2 ? 1 : -1;
        else if (k < 12) combine(k % 2 ? 1 : -1, b->T + 3 * (k / 2 - 3), 0, e, e);
        else if (k < 20)
            for (int i = 0; i < 3; i++) e[i] = k >> i & 1 ? 0.57735026918962573 : -0.57735026918962573;
        else if (size > 0) combine(1 / size, b->r, 0, e, e);
        else break;
        lowest = overlap(a, b, e);
        for (int round = 0; round < 20; round++) {
            double shift[3], m[3], q[3];
            combine(1.01 * lowest + 1e-9, e, 0, e, shift);
            d = nearest(a, b, shift, x, q);
            if (lowest < least) {
                least = lowest, memcpy(n, e, sizeof e);
                combine(1, q, 0.5, x, p), combine(1, p, -0.5, shift, p);
            }
            if (d <= 0) break;
            combine(1 / d, x, 0, x, m);
            if ((other = overlap(a, b, m)) >= lowest * (1 - 1e-9)) break;
            lowest = other, memcpy(e, m, sizeof m);
        }
    }
    return -least;
}

/* ---- the faces that touch ---- */

struct polygon {
    int m;
    double p[2 * MOST][3]; /* two coordinates across the normal, and the height along it */
};

/* The hull, counterclockwise across n, of the points at most `band` below the farthest in the direction sign*n. */
static void face(const struct shape *s, const double (*e)[3], double sign, double band, struct polygon *f)
{
    double all[MOST][3], top = -INFINITY, p[3];
    int count = 0, start = 0, at;
    for (int k = 0; k < s->count; k++) {
        point_of(s, k, p);
        for (int i = 0; i < 3; i++) all[k][i] = DOT(e[i], p);
        if (sign * all[k][2] > top) top = sign * all[k][2];
    }
    for (int k = 0; k < s->count; k++)
        if (sign * all[k][2] >= top - band) memmove(all[count++], all[k], sizeof p);
    for (int k = 1; k < count; k++)
        if (all[k][0] < all[start][0] || (all[k][0] == all[start][0] && all[k][1] < all[start][1])) start = k;
    f->m = 0, at = start;
    do {
        int next = at ? 0 : 1;
        memcpy(f->p[f->m++], all[at], sizeof p);
        for (int k = 0; k < count && count > 1; k++) {
            double x = all[next][0] - all[at][0], y = all[next][1] - all[at][1];
            double u = all[k][0] - all[at][0], v = all[k][1] - all[at][1], side = x * v - y * u;
            double rounding = 1e-12 * (x * x + y * y + u * u + v * v);
            if (k != at && (side < -rounding || (side <= rounding && u * u + v * v > x * x + y * y))) next = k;
        }
        at = next;
    } while (at != start && f->m < count);
}

/* The part of f that is to the left of the line from a to b. */
static void clip(struct polygon *f, const double *a, const double *b)
{
    struct polygon g = {0};
    for (int i = 0; i < f->m; i++) {
        const double *p = f->p[i], *q = f->p[(i + 1) % f->m];
        double x = b[0] - a[0], y = b[1] - a[1];
        double s = x * (p[1] - a[1]) - y * (p[0] - a[0]), t = x * (q[1] - a[1]) - y * (q[0] - a[0]);
        if (s >= 0 && g.m < 2 * MOST) memcpy(g.p[g.m++], p, sizeof g.p[0]);
        if ((s >= 0) != (t >= 0) && g.m < 2 * MOST) combine(t / (t - s), p, -s / (t - s), q, g.p[g.m++]);
    }
    *f = g;
}

/* The height h[0] + h[1]*x + h[2]*y of a face, by least squares; 0 if it has no area. */
static int height(const struct polygon *f, double *h)
{
    double x = 0, y = 0, z = 0, xx = 0, xy = 0, yy = 0, xz = 0, yz = 0, det;
    for (int i = 0; i < f->m; i++) x += f->p[i][0] / f->m, y += f->p[i][1] / f->m, z += f->p[i][2] / f->m;
    for (int i = 0; i < f->m; i++) {
        double u = f->p[i][0] - x, v = f->p[i][1] - y, w = f->p[i][2] - z;
        xx += u * u, xy += u * v, yy += v * v, xz += u * w, yz += v * w;
    }
    det = xx * yy - xy * xy;
    if (det <= 1e-12 * (xx + yy) * (xx + yy)) return 0;
    h[1] = (xz * yy - yz * xy) / det, h[2] = (yz * xx - xz * xy) / det, h[0] = z - h[1] * x - h[2] * y;
    return 1;
}

/* ---- forces ---- */

/* Velocity of the point p from the origin of b across the normal n; the part along it is returned. */
static double slip(const struct motion *m, const double *n, const double *p, double *u)
{
    double vn;
    cross(m->w, p, u), combine(1, u, 1, m->v, u);
    vn = DOT(n, u), combine(1, u, -vn, n, u);
    return vn;
}

/* Adds a point of b at p from its origin, with the force of Hunt and Crossley's law, and its elastic energy to F[7]. */
static void press(const struct motion *m, const double *n, const double *p, double depth, double weight,
                  struct contact *q, double *F)
{
    const double *law = m->law;
    double u[3], vn = slip(m, n, p, u), elastic;
    if (depth <= 0 || q->m == 2 * MOST) return;
    elastic = weight * law[0] * pow(depth, law[2]);
    memcpy(q->p[q->m], p, sizeof q->p[0]);
    q->N[q->m++] = vn * law[1] < 1 ? elastic * (1 - law[1] * vn) : 0;
    F[7] += elastic * depth / (law[2] + 1);
}

/* F := force and torque of the points, with friction: that of the velocity over v_small, and of the stretch, its integral
   over SETTLING, which ends the creep, and is lost while a shape slides. The stretch is that at the middle of the forces;
   its part along the normal is that of the turn about it. F + 9 := the derivative of the stretch. */
static void grip(const struct motion *m, const double *n, const struct contact *q, double *F)
{
    const double *z = m->stretch;
    double mu = m->law[3], small = m->law[4], along = DOT(n, z), c[3] = {0}, u[3], arm = 0, slides;
    for (int i = 0; i < q->m; i++) F[6] += q->N[i], combine(1, c, q->N[i], q->p[i], c);
    if (F[6] <= 0) return;
    combine(1 / F[6], c, 0, c, c);
    for (int i = 0; i < q->m; i++) combine(1, q->p[i], -1, c, u), arm += q->N[i] / F[6] * DOT(u, u);
    arm = sqrt(arm) + 1e-9;
    for (int i = 0; i < q->m; i++) {
        double d[3], y[3], g[3], tau[3];
        combine(1, q->p[i], -1, c, d), cross(n, d, y), combine(along / arm, y, 1, z, y), combine(1, y, -along, n, y);
        F[7] += mu * q->N[i] * small * SETTLING * (sqrt(1 + DOT(y, y)) - 1);
        slip(m, n, q->p[i], u), combine(1 / small, u, 1, y, y);
        combine(q->N[i], n, -mu * q->N[i] / sqrt(1 + DOT(y, y)), y, g), cross(q->p[i], g, tau);
        combine(1, F, 1, g, F), combine(1, F + 3, 1, tau, F + 3);
    }
    if (mu <= 0) return;
    slip(m, n, c, u), combine(1 / small, u, arm * DOT(m->w, n) / small, n, u), slides = DOT(u, u) / 25;
    combine(1 / (1 + slides) / SETTLING, u, -slides / (1 + slides) / SETTLING, z, F + 9);
}

/* The point of the segment from p to q that is nearest to x. */
static void on_segment(const double *p, const double *q, const double *x, double *y)
{
    double e[3], d[3], t;
    combine(1, q, -1, p, e), combine(1, x, -1, p, d);
    t = DOT(e, d) / (DOT(e, e) + 1e-300);
    combine(1, p, t < 0 ? 0 : t > 1 ? 1 : t, e, y);
}

/* Two edges, or capsules: where they cross, unless they are parallel, and where one of them ends. */
static void edges(const struct polygon *a, const struct polygon *b, const double (*e)[3], const double *r, double radii,
                  const double *nearest_point, double depth, const struct motion *m, struct contact *at, double *F)
{
    double d[3], f[3], c[3], y[3], p[3], sine;
    combine(1, a->p[1], -1, a->p[0], d), combine(1, b->p[1], -1, b->p[0], f), cross(d, f, c);
    sine = sqrt(DOT(c, c) / (DOT(d, d) * DOT(f, f) + 1e-300));
    combine(1, nearest_point, -1, r, p);
    press(m, e[2], p, depth, sine > 0.05 ? 1 : sine / 0.05, at, F);
    for (int k = 0; k < 4; k++) {
        const struct polygon *own = k < 2 ? a : b, *other = k < 2 ? b : a;
        const double *x = own->p[k % 2];
        on_segment(other->p[0], other->p[1], x, y);
        combine(1, x, -1, y, c), combine(0.5, x, 0.5, y, y);
        for (int i = 0; i < 3; i++) p[i] = y[0] * e[0][i] + y[1] * e[1][i] + y[2] * e[2][i] - r[i];
        press(m, e[2], p, radii - sqrt(DOT(c, c)), 1, at, F);
    }
}

/* Drops corners that coincide; *length and *width are measures of the polygon, zero for a point and for a line. */
static void measure(struct polygon *f, double *length, double *width)
{
    double area = 0;
    int kept = 0;
    for (int i = 0; i < f->m; i++)
        if (!kept || hypot(f->p[i][0] - f->p[kept - 1][0], f->p[i][1] - f->p[kept - 1][1]) > 1e-12)
            memmove(f->p[kept++], f->p[i], sizeof f->p[i]);
    while (kept > 1 && hypot(f->p[0][0] - f->p[kept - 1][0], f->p[0][1] - f->p[kept - 1][1]) <= 1e-12) kept--;
    f->m = kept, *length = 0;
    for (int i = 0; i < kept; i++) {
        const double *p = f->p[i], *q = f->p[(i + 1) % kept];
        *length += 0.5 * hypot(q[0] - p[0], q[1] - p[1]), area += 0.5 * (p[0] * q[1] - p[1] * q[0]);
    }
    *width = area > 0 ? area / *length : 0;
}

static double up_to_one(double x)
{
    return x < 1 ? x : 1;
}

/* The corners of what two faces have in common, each with the weight of its angle, a right one counts as 1; less where
   the polygon is thin. So forces are continuous where corners come and go. */
static void faces(const struct polygon *a, struct polygon *b, const double *h, double sign, const double (*e)[3],
                  const double *r, double ra, double rb, double fine, const struct motion *m, struct contact *at,
                  double *F)
{
    double length, width, scale = 0.5 / 3.141592653589793, p[3];
    for (int i = 0; i < a->m; i++) clip(b, a->p[i], a->p[(i + 1) % a->m]);
    measure(b, &length, &width);
    scale *= (1 + up_to_one(length / (fine + 1e-300))) * (1 + up_to_one(width / (fine + 1e-300)));
    for (int i = 0; i < b->m && b->m > 1; i++) {
        const double *o = b->p[(i + b->m - 1) % b->m], *q = b->p[i], *s = b->p[(i + 1) % b->m];
        double x = q[0] - o[0], y = q[1] - o[1], u = s[0] - q[0], v = s[1] - q[1];
        double turn = atan2(x * v - y * u, x * u + y * v);
        double other = h[0] + h[1] * q[0] + h[2] * q[1], middle = 0.5 * (q[2] + other + ra - rb);
        for (int k = 0; k < 3; k++) p[k] = q[0] * e[0][k] + q[1] * e[1][k] + middle * e[2][k] - r[k];
        press(m, e[2], p, ra + rb - sign * (q[2] - other), scale * fabs(turn), at, F);
    }
}

/* F := force and torque on b at its origin, the part of the force along the normal, the elastic energy, the depth, which
   is negative while they do not touch (then a bound where their origins are farther apart than `reach`), and the
   derivative of the stretch. */
void hull_on_hull(const double *A, double na, const double *box_a, double ra, const double *B, double nb,
                  const double *box_b, double rb, double reach, const double *T, const double *r, const double *v,
                  const double *w, const double *law, const double *stretch, double *F)
{
    struct shape a, b;
    struct motion m = {v, w, law, stretch};
    struct contact at = {0};
    struct polygon f = {1, {{0}}}, g = {1, {{0}}};
    double e[3][3], p[3], h[3], d = sqrt(DOT(r, r)) - reach, fine = 2 * (ra < rb ? ra : rb), unit[3] = {0};
    int least = 0;
    memset(F, 0, 12 * sizeof *F);
    F[8] = -d;
    if (d > 0) return;
    a = shape_of(A, na, box_a, NULL, NULL), b = shape_of(B, nb, box_b, T, r);
    F[8] = ra + rb - apart(&a, &b, e[2], p);
    if (F[8] <= 0) return;
    for (int k = 1; k < 3; k++)
        if (fabs(e[2][k]) < fabs(e[2][least])) least = k;
    unit[least] = 1;
    cross(unit, e[2], e[0]), combine(1 / sqrt(DOT(e[0], e[0])), e[0], 0, e[0], e[0]), cross(e[2], e[0], e[1]);
    if (a.count > 1 && b.count > 1) face(&a, e, 1, fine, &f), face(&b, e, -1, fine, &g);
    combine(1, p, 0.5 * (ra - rb), e[2], p);
    if (f.m == 2 && g.m == 2) edges(&f, &g, e, r, ra + rb, p, F[8], &m, &at, F);
    else if (f.m > 2 && g.m > 1 && height(&f, h)) faces(&f, &g, h, 1, e, r, ra, rb, fine, &m, &at, F);
    else if (g.m > 2 && f.m > 1 && height(&g, h)) faces(&g, &f, h, -1, e, r, ra, rb, fine, &m, &at, F);
    if (!at.m) combine(1, p, -1, r, p), press(&m, e[2], p, F[8], 1, &at, F);
    grip(&m, e[2], &at, F);
}

/* The same for the plane through the origin of a with the normal n. */
void hull_on_plane(const double *n, const double *B, double nb, const double *box, double rb, const double *T,
                   const double *r, const double *v, const double *w, const double *law, const double *stretch,
                   double *F)
{
    struct shape b = shape_of(B, nb, box, T, r);
    struct motion m = {v, w, law, stretch};
    struct contact at = {0};
    memset(F, 0, 12 * sizeof *F);
    F[8] = -INFINITY;
    for (int k = 0; k < b.count; k++) {
        double p[3], depth;
        point_of(&b, k, p);
        depth = rb - DOT(n, p);
        combine(1, p, -rb, n, p), combine(1, p, -1, r, p);
        press(&m, n, p, depth, 1, &at, F);
        if (depth > F[8]) F[8] = depth;
    }
    grip(&m, n, &at, F);
}

/* z := the distance, negative while both overlap, and the nearest points of a and b. */
void hull_distance(const double *A, double na, const double *box_a, double ra, const double *B, double nb,
                   const double *box_b, double rb, const double *T, const double *r, double *z)
{
    struct shape a = shape_of(A, na, box_a, NULL, NULL), b = shape_of(B, nb, box_b, T, r);
    double n[3], p[3], d = apart(&a, &b, n, p);
    z[0] = d - ra - rb;
    combine(1, p, ra - d / 2, n, z + 1), combine(1, p, d / 2 - rb, n, z + 4);
}
