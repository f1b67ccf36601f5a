"""Builds sums, products and powers in folded form: removes zeros and ones, extracts signs, collects constants."""

from __future__ import annotations

from cutset.compiler.expressions.nodes import TIME, Expr, Nodes, Undefined


class Arithmetic(Nodes):
    """The arithmetic operators."""

    def neg(self, a: Expr) -> Expr:
        """-a"""
        if a.op == "constant":
            return self.constant(-a.data)
        if a.op == "neg":
            return a.args[0]
        if a.op == "sub":
            return self.sub(a.args[1], a.args[0])
        return self._node("neg", (a,), a.level)

    def add(self, a: Expr, b: Expr) -> Expr:
        """a + b"""
        zero, p, q = self.zero, a.op, b.op
        if a is zero:
            return b
        if b is zero:
            return a
        if p == "constant" and q == "constant":
            return self.constant(a.data + b.data)
        if q == "neg":
            return self.sub(a, b.args[0])
        if p == "neg":
            return self.sub(b, a.args[0])
        if a is b:
            return self.mul(self.constant(2.0), a)
        if p == "sub" and a.args[1] is b:
            return a.args[0]
        if q == "sub" and b.args[1] is a:
            return b.args[0]
        if a.level < TIME and b.level == TIME:
            a, b = b, a
        if b.level < TIME and a.level == TIME:
            if a.op == "add":
                x, y = a.args
                if y.level < TIME:
                    return self.add(x, self.add(y, b))
                if x.level < TIME:
                    return self.add(y, self.add(x, b))
            if a.op == "sub":
                x, y = a.args
                if y.level < TIME:
                    return self.add(x, self.sub(b, y))
                if x.level < TIME:
                    return self.sub(self.add(x, b), y)
        if a.id > b.id:
            a, b = b, a
        return self._pair("add", a, b)

    def sub(self, a: Expr, b: Expr) -> Expr:
        """a - b"""
        zero, p, q = self.zero, a.op, b.op
        if b is zero:
            return a
        if a is b:
            return zero
        if a is zero:
            return self.neg(b)
        if q == "neg":
            return self.add(a, b.args[0])
        if q == "constant":
            return self.add(a, self.constant(-b.data))
        if p == "neg":
            return self.neg(self.add(a.args[0], b))
        if p == "add" and b in a.args:
            return a.args[1] if a.args[0] is b else a.args[0]
        if p == "sub" and a.args[0] is b:
            return self.neg(a.args[1])
        if q == "sub" and b.args[0] is a:
            return b.args[1]
        if q == "add" and a in b.args:
            return self.neg(b.args[1] if b.args[0] is a else b.args[0])
        if b.level < TIME and a.level == TIME and a.op in ("add", "sub"):
            x, y = a.args
            if y.level < TIME:
                return self.add(x, self.sub(y, b)) if a.op == "add" else self.sub(x, self.add(y, b))
            if x.level < TIME:
                rest = self.sub(x, b)
                return self.add(rest, y) if a.op == "add" else self.sub(rest, y)
        if a.level < TIME and b.level == TIME and b.op in ("add", "sub"):
            x, y = b.args
            if x.level < TIME:
                rest = self.sub(a, x)
                return self.sub(rest, y) if b.op == "add" else self.add(rest, y)
            if y.level < TIME:
                return self.sub(self.sub(a, y) if b.op == "add" else self.add(a, y), x)
        return self._pair("sub", a, b)

    def mul(self, a: Expr, b: Expr) -> Expr:
        """a * b"""
        p, q = a.op, b.op
        if p == "constant" or q == "constant":
            zero, one = self.zero, self.one
            if a is zero or b is zero:
                return zero
            if a is one:
                return b
            if b is one:
                return a
            if p == q:
                return self.constant(a.data * b.data)
            if a is self.minus_one:
                return self.neg(b)
            if b is self.minus_one:
                return self.neg(a)
        if p == "neg":
            return self.neg(self.mul(a.args[0], b))
        if q == "neg":
            return self.neg(self.mul(a, b.args[0]))
        if p == "div" and a.args[1] is b:
            return a.args[0]
        if q == "div" and b.args[1] is a:
            return b.args[0]
        if p == "mul" or q == "mul":
            shortened = self._canceled(a, b) or self._canceled(b, a)
            if shortened is not None:
                return shortened
        if b.level < TIME and a.level == TIME:
            a, b = b, a
        if a.level < TIME and b.level == TIME and b.op == "mul":
            x, y = b.args
            if x.level < TIME:
                return self.mul(self.mul(a, x), y)
            if y.level < TIME:
                return self.mul(self.mul(a, y), x)
        if a.op != "constant" and (b.op == "constant" or a.id > b.id):
            a, b = b, a
        if a.op == "constant" and a.data < 0:
            return self.neg(self.mul(self.constant(-a.data), b))
        return self._pair("mul", a, b)

    def _canceled(self, product: Expr, factor: Expr) -> Expr | None:
        """x*(y/factor)*factor is x*y; None if the product does not have this form."""
        if product.op == "mul":
            x, y = product.args
            if x.op == "div" and x.args[1] is factor:
                return self.mul(y, x.args[0])
            if y.op == "div" and y.args[1] is factor:
                return self.mul(x, y.args[0])
        return None

    def div(self, a: Expr, b: Expr) -> Expr:
        """a / b; Undefined if b is the constant zero."""
        if b is self.zero:
            raise Undefined("division by zero")
        if a is self.zero or b is self.one:
            return a
        if a is b:
            return self.one
        if a.op == "constant" and b.op == "constant":
            return self.constant(a.data / b.data)
        if a.op == "neg":
            return self.neg(self.div(a.args[0], b))
        if b.op == "neg":
            return self.neg(self.div(a, b.args[0]))
        if a.op == "mul" and b in a.args:
            return a.args[1] if a.args[0] is b else a.args[0]
        if b.op == "div":
            return self.div(self.mul(a, b.args[1]), b.args[0])
        if b.op == "constant" or (b.level < TIME and a.level == TIME):
            # Division by a constant or parameter is multiplication by its reciprocal, which is computed once.
            return self.mul(self.div(self.one, b) if b.op != "constant" else self.constant(1.0 / b.data), a)
        return self._pair("div", a, b)
