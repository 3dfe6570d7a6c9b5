"""Loads modules so that they count their work, in steps that are the same on every machine.

A step is a call, a turn of a loop, or a character or an item that C code reads: by a pattern, a
method of a text, or a function of another library. A pattern is charged with all that it may read.
What is only copied or compared counts a step for 1,000 characters, which takes about as long.
`install` comes before the modules are imported, so in a process of its own.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any, ClassVar, TypeVar

import regex
from typing_extensions import override

T = TypeVar("T")
_MARK = "_counts_its_work"
_PATTERNS = (re.Pattern, regex.Pattern)
_TEXTS = (str, bytes, bytearray)
_SIZED = (*_TEXTS, list, tuple, dict, set, frozenset)
_FRAME_READERS = frozenset({"super", "locals", "vars", "globals", "dir", "eval", "exec"})
_CONSTANT = frozenset(
    map(id, (len, isinstance, issubclass, id, hash, getattr, setattr, hasattr, type, iter, next))
) | frozenset(map(id, (callable, range, zip, enumerate, map, filter, reversed, object, super)))
_COPIED_AT_ONCE = 1_000
_COPIERS = frozenset({"startswith", "endswith", "removeprefix", "removesuffix"})
_READS_ALL = frozenset({"copy", "sort", "insert", "remove", "index", "count", "reverse"})


class Work:
    """The steps so far; what need not be counted runs as it was written."""

    steps = 0
    is_counted = True
    _codes: ClassVar[list[tuple[FunctionType, CodeType, CodeType]]] = []

    @classmethod
    def know(cls, module: ModuleType, plain: CodeType) -> None:
        """Take the functions of a module, and what it was before it counted."""
        written = {_place_of(code): code for code in _codes_in(plain)}
        for function in _functions_in(module):
            counting = function.__code__
            known = written.get(_place_of(counting))
            if known and known.co_freevars == counting.co_freevars and known.co_name != "<lambda>":
                cls._codes.append((function, counting, known))

    @classmethod
    def count(cls, *, is_counted: bool) -> None:
        """Count from now on, or do not."""
        if cls.is_counted != is_counted:
            cls.is_counted = is_counted
            for function, counting, plain in cls._codes:
                function.__code__ = counting if is_counted else plain


def _place_of(code: CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno


def _codes_in(code: CodeType) -> Iterator[CodeType]:
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield one
            yield from _codes_in(one)


def _functions_in(module: ModuleType) -> Iterator[FunctionType]:
    """The functions of the module and of its classes, also the getters of properties."""
    own = [one for one in vars(module).values() if isinstance(one, type)]
    for place in [module, *(one for one in own if one.__module__ == module.__name__)]:
        for value in vars(place).values():
            inner = getattr(value, "fget", None) or getattr(value, "__func__", None) or value
            if isinstance(inner, FunctionType) and inner.__module__ == module.__name__:
                yield inner


def _size(value: object) -> int:
    return len(value) if isinstance(value, _SIZED) else 0


def _copied(value: object) -> int:
    return len(value) // _COPIED_AT_ONCE if isinstance(value, _TEXTS) else _size(value)


def call(function: Any, *arguments: Any, **named: Any) -> Any:
    """Call the function and return its result; its work is counted unless it counts itself."""
    if not Work.is_counted:
        return function(*arguments, **named)
    found = function(*arguments, **named)
    Work.steps += 1 + _work_of(function, arguments, found)
    return found


def _work_of(function: Any, arguments: Sequence[Any], found: Any) -> int:
    if isinstance(function, BuiltinFunctionType):
        return _of_builtin(function, arguments, found)
    if type(function) is type:
        is_made = function.__module__ == "builtins" and id(function) not in _CONSTANT
        is_same = bool(arguments) and found is arguments[0]
        return _of_others(arguments, found) if is_made and not is_same else 0
    return 0 if _counts_itself(function) else _of_others(arguments, found)


def _of_builtin(function: BuiltinFunctionType, arguments: Sequence[Any], found: Any) -> int:
    owner = function.__self__
    if isinstance(owner, _TEXTS):
        return _of_text(owner, function.__name__, arguments, found)
    if isinstance(owner, _PATTERNS):
        return _of_pattern(owner, function.__name__, arguments, found)
    if isinstance(owner, ModuleType | None) and id(function) not in _CONSTANT:
        return _of_others(arguments, found)
    if function.__name__ in _READS_ALL:
        return _size(owner)
    return sum(map(_size, arguments)) if function.__name__ in {"extend", "update"} else 0


def _counts_itself(function: Any) -> bool:
    inner = function.__func__ if isinstance(function, MethodType) else function
    return isinstance(inner, FunctionType) and _MARK in inner.__globals__


def _of_others(arguments: Iterable[object], found: object) -> int:
    return sum(map(_size, arguments)) + _size(found)


def _of_text(owner: Any, name: str, arguments: Sequence[Any], found: Any) -> int:
    if name in _COPIERS:
        return sum(map(_copied, arguments)) + (0 if found is owner else _copied(found))
    if name in {"strip", "lstrip", "rstrip"}:
        return len(owner) - len(found) + _copied(found)
    if name == "join":
        return _size(arguments[0]) + _copied(found)
    if name in {"find", "index", "rfind", "rindex"}:
        first, end = _span(arguments[1:], len(owner))
        if found < 0:
            return max(0, end - first)
        return int(end - found if name.startswith("r") else found - first)
    return len(owner) + (0 if found is owner else _size(found))


def _span(places: Sequence[int], length: int) -> tuple[int, int]:
    """From where to where is read, as the arguments of a search tell."""
    first, end, _ = slice(*([*places, None, None][:2])).indices(length)
    return first, end


def _of_pattern(pattern: Any, name: str, arguments: Sequence[Any], found: Any) -> int:
    """From where it begins to read to its end; a search ends where it found something."""
    if name in {"sub", "subn"}:
        return len(arguments[1]) + _size(found)
    first, end = _span(arguments[1:], len(arguments[0]))
    if name == "search" and found is not None:
        if isinstance(pattern, regex.Pattern) and pattern.flags & regex.REVERSE:
            return int(end - found.start())
        return int(found.end() - first)
    return max(0, end - first)


def made(value: T) -> T:
    """The value: a slice, a sum or a display, with the work of writing it."""
    if Work.is_counted:
        Work.steps += 1 + _copied(value)
    return value


def added(target: object, value: object, *, in_place: bool) -> None:
    """Count what was added to a variable; a text that an object holds is written anew."""
    Work.steps += 1 + _copied(value if in_place or not isinstance(target, _TEXTS) else target)


def contains(item: object, container: Any) -> bool:
    """Whether it does; all of a text or a list is read for it."""
    found = item in container
    Work.steps += 1 + (0 if isinstance(container, dict | set | frozenset) else _size(container))
    return found


def equal(one: object, other: object) -> bool:
    """Whether they are; texts are compared if they are as long as each other."""
    found = bool(one == other)
    if Work.is_counted:
        Work.steps += 1 + (_copied(one) if one is not other and _size(one) == _size(other) else 0)
    return found


def each(items: Iterable[T]) -> Iterator[T]:
    """The items, each a step."""
    for item in items:
        Work.steps += 1
        yield item


def step() -> None:
    """Count a turn of a loop."""
    Work.steps += 1


class _Counting(ast.NodeTransformer):
    """Rewrites what stands in functions; what a module does while it loads stays as it is."""

    def __init__(self) -> None:
        self._depth = 0

    @override
    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            body = node.body if isinstance(node.body, list) else [node.body]
            self._depth += 1
            changed = [self.visit(part) for part in body]
            self._depth -= 1
            node.body = _flat(changed) if isinstance(node.body, list) else changed[0]
            return node
        return super().visit(node) if self._depth else self._outside(node)

    def _outside(self, node: ast.AST) -> ast.AST:
        return super().generic_visit(node)

    @override
    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        depth, self._depth = self._depth, 0
        super().generic_visit(node)
        self._depth = depth
        return node

    @override
    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    @override
    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        node.guard = self.visit(node.guard) if node.guard else None
        node.body = _flat([self.visit(part) for part in node.body])
        return node

    @override
    def visit_Call(self, node: ast.Call) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in _FRAME_READERS:
            return node
        return _counted("call", node.func, *node.args, keywords=node.keywords)

    @override
    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        super().generic_visit(node)
        is_cut = isinstance(node.slice, ast.Slice) and isinstance(node.ctx, ast.Load)
        return _counted("made", node) if is_cut else node

    def _display(self, node: Any) -> ast.AST:
        super().generic_visit(node)
        grows = any(isinstance(one, ast.Starred) for one in node.elts)
        return _counted("made", node) if grows and isinstance(_context(node), ast.Load) else node

    @override
    def visit_List(self, node: ast.List) -> ast.AST:
        return self._display(node)

    @override
    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        return self._display(node)

    @override
    def visit_Set(self, node: ast.Set) -> ast.AST:
        return self._display(node)

    @override
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        super().generic_visit(node)
        return _counted("made", node)

    @override
    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                part.value = self.visit(part.value)
        return _counted("made", node)

    @override
    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        super().generic_visit(node)
        if len(node.ops) > 1:
            return node
        match node.ops[0]:
            case ast.In():
                return _counted("contains", node.left, node.comparators[0])
            case ast.NotIn():
                found = _counted("contains", node.left, node.comparators[0])
                return ast.UnaryOp(ast.Not(), found)
            case ast.Eq():
                return _counted("equal", node.left, node.comparators[0])
            case ast.NotEq():
                return ast.UnaryOp(ast.Not(), _counted("equal", node.left, node.comparators[0]))
        return node

    @override
    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        super().generic_visit(node)
        if isinstance(node.target, ast.Subscript):
            return node
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        in_place = ast.keyword("in_place", ast.Constant(isinstance(node.target, ast.Name)))
        kept = ast.Name("_counted_value", ast.Store())
        node_value, node.value = node.value, ast.Name("_counted_value", ast.Load())
        counted = _counted(
            "added", read, ast.Name("_counted_value", ast.Load()), keywords=[in_place]
        )
        return [ast.Assign([kept], node_value), node, ast.Expr(counted)]

    def _loop(self, node: ast.For | ast.While | ast.AsyncFor) -> ast.AST:
        super().generic_visit(node)
        node.body.insert(0, ast.Expr(_counted("step")))
        return node

    @override
    def visit_For(self, node: ast.For) -> ast.AST:
        return self._loop(node)

    @override
    def visit_While(self, node: ast.While) -> ast.AST:
        return self._loop(node)

    @override
    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AST:
        return self._loop(node)

    @override
    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        super().generic_visit(node)
        if not node.is_async:
            node.iter = _counted("each", node.iter)
        return node


def _context(node: Any) -> object:
    return getattr(node, "ctx", ast.Load())


def _flat(parts: Iterable[Any]) -> list[Any]:
    return [one for part in parts for one in (part if isinstance(part, list) else [part])]


def _counted(name: str, *arguments: ast.expr, keywords: Sequence[ast.keyword] = ()) -> ast.Call:
    target = ast.Attribute(ast.Name(_MARK, ast.Load()), name, ast.Load())
    return ast.Call(target, list(arguments), list(keywords))


class _Loader(SourceFileLoader):
    """Loads a module from its source, never from compiled code that does not count."""

    @override
    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = _Counting().visit(ast.parse(self.get_data(path)))
        code: CodeType = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
        return code

    @override
    def exec_module(self, module: ModuleType) -> None:
        vars(module)[_MARK] = sys.modules[__name__]
        super().exec_module(module)
        path = self.get_filename(module.__name__)
        source = ast.parse(self.get_data(path))
        Work.know(module, compile(source, path, "exec", dont_inherit=True))


class _Finder(MetaPathFinder):
    def __init__(self, packages: Sequence[str]) -> None:
        self._packages = packages

    @override
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if not any(fullname == p or fullname.startswith(f"{p}.") for p in self._packages):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path)
        return spec


def install(*packages: str) -> None:
    """Have the modules of these packages count. Raises: RuntimeError if some are loaded."""
    loaded = [n for n in sys.modules for p in packages if n == p or n.startswith(f"{p}.")]
    if loaded:
        raise RuntimeError(f"loaded already: {loaded[:5]}")
    sys.meta_path.insert(0, _Finder(packages))
