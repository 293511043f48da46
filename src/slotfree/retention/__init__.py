"""How memories fade: the protocol, its metrics, and theory.

The room bears the name of its main function, and can be called like it: ``sf.retention(...)`` is
``slotfree.retention.protocol.retention(...)``.
"""

import sys
from inspect import signature
from types import ModuleType

from slotfree.retention import protocol


class _CallableRoom(ModuleType):
    __call__ = staticmethod(protocol.retention)


__doc__ = f"{__doc__}\n{protocol.retention.__doc__}"
__signature__ = signature(protocol.retention)
sys.modules[__name__].__class__ = _CallableRoom
