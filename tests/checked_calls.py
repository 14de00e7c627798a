"""Annotations are checked at every call, those without the shape of an array in the shorter way."""

import inspect
from functools import partial
from types import FunctionType
from typing import get_args

import jaxtyping
from jaxtyping import AbstractArray, install_import_hook
from jaxtyping._decorator import _destring_annotation as meant

whole = jaxtyping.jaxtyped


def install(modules: list[str]) -> None:
    """Check what is imported from these packages from now on; an int passes for a float."""
    install_import_hook(modules, "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))")
    jaxtyping.jaxtyped = jaxtyped


def jaxtyped(function=None, *, typechecker):
    """As that of jaxtyping, which binds the arguments of every call and checks them twice for their shapes.

    A function that names no array is given to the type checker as it is.
    """
    if function is None:
        return partial(jaxtyped, typechecker=typechecker)
    if not isinstance(function, FunctionType) or inspect.isgeneratorfunction(function):
        return whole(function, typechecker=typechecker)
    types = {name: meant(each, function.__globals__) for name, each in function.__annotations__.items()}
    if any(map(_has_shape, types.values())):
        return whole(function, typechecker=typechecker)
    if "<locals>" in function.__qualname__:  # made at each call of another, and its plain types mypy knows
        return function
    written, function.__annotations__ = function.__annotations__, types
    checked = typechecker(function)
    function.__annotations__ = written
    if checked is not function:
        checked.__annotations__ = written
    return checked


def _has_shape(annotation) -> bool:
    """Whether an array is in what an annotation names, however deep."""
    if isinstance(annotation, list):
        return any(map(_has_shape, annotation))
    is_array = inspect.isclass(annotation) and issubclass(annotation, AbstractArray)
    return is_array or any(map(_has_shape, get_args(annotation)))
