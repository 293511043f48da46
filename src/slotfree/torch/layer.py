"""Slot-free attention as a layer: projections around a memory of fixed size."""

from typing import Any, Literal, overload

import torch
from torch import Tensor, nn

from slotfree import checks
from slotfree.attention.result import TrainingResult
from slotfree.attention.storages.winners import Winners
from slotfree.attention.weights import Weights
from slotfree.torch.attention import TEMPERATURE, Info, Memory, Select, attend, drive_of_keys, inner, recall
from slotfree.torch.checking import check_alike, check_finite, check_mask, check_tensor, warn_of_several
from slotfree.torch.rule import OLDEST, Storage, rule_of
from slotfree.torch.state import SlotFreeState, check_state
from slotfree.torch.trained import layer_of, weights_of
from slotfree.torch.wiring import connected, projected, start_keys


class SlotFreeAttention(nn.Module):
    """Causal attention over all that came before, in fast weights of a fixed number of units.

    At each time, item x_t is stored, and then read:

        k = W_K x,  v = W_V x;   in the winners  W_HK += ε (k − W_HK),  W_VH += ε (v − W_VH),  g += ε (1 − g)
        q = W_Q x;   s = softmax(β W_HK q),  Z = g·s,  y = W_O W_VH s/Z

    There is no window: a state goes into a call and comes out of it, and any split of a sequence into calls is one
    call, gradients included, until ``state.detach()``. Gradients are exact wherever winners do not change.

    Parameters
    ----------
    d_model : components of x and y.
    n_hidden : hidden units of each head.
    key_dim, value_dim : N and V, of each head; V None is d_model / heads.
    heads : memories side by side, each with keys and values of its own.
    storage : a ``Winners``, with the address "oldest", which None means here: an item goes to the units that match it,
        or else to those written longest ago. "token": x drives k random units for each of its components. "key": each
        key has k random units. "start": W_HK begins at random. Or "perfect": units take turns, with β = 1.
    select : "hard", or "straight-through": see ``slot_free_attention``.
    local : whether weights learn by the paper's local rules. The output is W_V x̃ then, x̃ the items that were stored,
        as a query reinstates them: no graph goes through time, nor into earlier layers but by the query. W_K learns by
        the query-key rule, |W_K x̃ − q|², whatever the loss is; its gradient is added when ``backward`` is called.
    local_weight : what |W_K x̃ − q|², summed over all queries, is multiplied by. The rule cannot know how a loss is
        scaled, and so the gradient of W_K is that of a loss that is a sum. Where yours is the mean of B T errors, set
        1/(B T); where it is scaled, also by a ``GradScaler``, multiply ``layer.local_weight`` by the same number. Sums
        that are accumulated over several calls need nothing.
    project_out : whether there is W_O; without it, y has heads · V components.
    temperature : of straight-through addresses and of ``crowding``.
    seed : decides connections, projections and ties; None: drawn by PyTorch's generator.
    device, dtype : of the weights.

    Examples
    --------
    >>> import torch
    >>> from slotfree.torch import SlotFreeAttention
    >>> layer = SlotFreeAttention(d_model=16, n_hidden=32, key_dim=8, heads=2)
    >>> y, state = layer(torch.randn(4, 10, 16))
    >>> y_next, state = layer(torch.randn(4, 1, 16), state)
    >>> y_next.shape, layer.state_size
    (torch.Size([4, 1, 16]), 1153)
    """

    seeds: Tensor
    wiring: Tensor
    connections: Tensor | None
    projections: Tensor | None
    first_keys: Tensor | None

    def __init__(
        self,
        d_model: int,
        n_hidden: int,
        key_dim: int = 64,
        value_dim: int | None = None,
        heads: int = 1,
        storage: Storage = OLDEST,
        select: Select = "hard",
        local: bool = False,
        *,
        local_weight: float = 1.0,
        project_out: bool = True,
        temperature: float = TEMPERATURE,
        seed: int | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        self.d_model, self.heads = checks.integer("d_model", d_model, 1), checks.integer("heads", heads, 1)
        self.n_hidden, self.key_dim = checks.integer("n_hidden", n_hidden, 1), checks.integer("key_dim", key_dim, 1)
        if value_dim is None and d_model % heads:
            raise ValueError(f"d_model must be a multiple of heads={heads} where value_dim is None, not {d_model}")
        self.value_dim = d_model // heads if value_dim is None else checks.integer("value_dim", value_dim, 1)
        self.storage, self.rule = storage, rule_of(storage, self.n_hidden, self.key_dim)
        checks.one_of("select", select, ("hard", "straight-through"))
        self.select, self.local = select, checks.yes_or_no("local", local)
        self.local_weight = checks.positive("local_weight", local_weight)
        self.temperature = checks.positive("temperature", temperature)
        self._check_choices()
        where: dict[str, Any] = {"bias": False, "device": device, "dtype": dtype}
        self.q_proj, self.k_proj = (nn.Linear(d_model, heads * key_dim, **where) for _ in range(2))
        self.v_proj = nn.Linear(d_model, heads * self.value_dim, **where)
        self.o_proj = nn.Linear(heads * self.value_dim, d_model, **where) if project_out else None
        self._wire(int(torch.randint(2**62, ())) if seed is None else checks.integer("seed", seed, 0), device, dtype)

    def _check_choices(self) -> None:
        if self.select == "straight-through" and self.local:
            raise ValueError("select='straight-through' requires local=False: it needs a graph through time")
        warn_of_several(self.select, self.rule, 4)
        if self.local_weight != 1 and not self.local:
            raise ValueError(f"local_weight={self.local_weight:g} requires local=True")
        if self.local and isinstance(self.storage, Winners) and self.storage.item_fan_out < 1:
            raise ValueError(f"local requires storage.item_fan_out=1.0, not {self.storage.item_fan_out}")

    def _wire(self, seed: int, device: torch.device | str | None, dtype: torch.dtype | None) -> None:
        """Draw what is random but does not learn: buffers, so that a ``state_dict`` has them."""
        rule, numbers = self.rule, [(seed + head) % 2**63 for head in range(self.heads)]
        sizes = self.n_hidden, self.key_dim
        drawn: dict[str, Tensor | None] = {"seeds": torch.tensor(numbers), "wiring": torch.tensor(numbers[0])}
        if isinstance(self.storage, Winners) and rule.f < 1:
            drawn["connections"] = connected(self.storage, numbers, *sizes)
        else:
            drawn["connections"] = None
        drawn["projections"] = (
            projected(rule.k, numbers, self.n_hidden, self.d_model) if rule.address == "token" else None
        )
        drawn["first_keys"] = start_keys(numbers, *sizes) if rule.address == "start" else None
        for name, part in drawn.items():
            kind = (
                None if part is None or part.dtype in (torch.bool, torch.int64) else dtype or torch.get_default_dtype()
            )
            self.register_buffer(name, None if part is None else part.to(device, kind))

    @property
    def memory(self) -> Memory:
        """What the function under the layer asks for."""
        return Memory(
            self.rule, self.n_hidden, self.connections, self.first_keys, self.seeds, self.select, self.temperature
        )

    @property
    def state_size(self) -> int:
        """Numbers in a state for each sequence, as its tensors hold them, zeros of missing connections included.

        In each unit N of W_HK, V of W_VH, g, ``written``, and d_model of W_IH if rules are local; and ``stored``. With
        f < 1 only f N of W_HK are ever other than 0.
        """
        each = self.key_dim + self.value_dim + 2 + (self.d_model if self.local else 0)
        return self.heads * self.n_hidden * each + 1

    @overload
    def forward(
        self, x: Tensor, state: SlotFreeState | None = None, mask: Tensor | None = None, info: Literal[False] = False
    ) -> tuple[Tensor, SlotFreeState]: ...
    @overload
    def forward(
        self, x: Tensor, state: SlotFreeState | None = None, mask: Tensor | None = None, *, info: Literal[True]
    ) -> tuple[Tensor, SlotFreeState, Info]: ...
    def forward(
        self, x: Tensor, state: SlotFreeState | None = None, mask: Tensor | None = None, info: bool = False
    ) -> tuple[Tensor, SlotFreeState] | tuple[Tensor, SlotFreeState, Info]:
        """Store each item, then read by it.

        Parameters
        ----------
        x : (B, T, d_model).
        state : what an earlier call returned; None: nothing is stored.
        mask : (B, T) False for padding, which stores nothing and reads 0.
        info : whether to return winners, evictions and crowding too: ``Info``.

        Returns
        -------
        y : (B, T, d_model), or (B, T, heads · V) without W_O.
        state : to go on from.
        """
        self._check(x, mask)
        q, k, v = self._split(self.q_proj(x)), self._split(self.k_proj(x)), self._split(self.v_proj(x))
        y, state, what = self._attend(q, k, v, x, state, mask, info)
        y = self._out(y, q, mask)
        return (y, state, what) if what is not None else (y, state)

    def write(self, x: Tensor, state: SlotFreeState | None = None, mask: Tensor | None = None) -> SlotFreeState:
        """Store items, (B, T, d_model), and return the state after them; None: in an empty memory."""
        self._check(x, mask)
        k, v = self._split(self.k_proj(x)), self._split(self.v_proj(x))
        return self._attend(None, k, v, x, state, mask, False)[1]

    def read(self, queries: Tensor, state: SlotFreeState | None = None) -> Tensor:
        """Return what queries, (B, n, d_model), read of a state, which stays as it is: like y; 0 if it is empty."""
        self._check(queries, None)
        q = self._split(self.q_proj(queries))
        state = self.write(queries[:, :0]) if state is None else self._fitting(state, queries)
        return self._out(recall(q, self._packed(state), self.memory), q, None)

    @classmethod
    def from_trained(cls, result: TrainingResult, run: int = 0, *, seed: checks.Seed = 0) -> "SlotFreeAttention":
        """Return the layer that computes what a model does that ``sf.train`` trained, and that trains on as it did.

        It is ``local``, in float64, without W_O; x are one-hot tokens, and y the outputs ŷ.

        Parameters
        ----------
        result : of a ``SlotFreeTransformer`` with ``storage=sf.Winners(...)`` and fixed keys, or the query-key rule.
        run : of which the weights are taken.
        seed : draws ties and initial fast weights, as in ``result.predict``.
        """
        return layer_of(result, run, seed)

    def trained_weights(self) -> Weights:
        """Return W_Q, W_K, W_V and the wiring of a layer of one head: weights of a ``SlotFreeTransformer``."""
        return weights_of(self)

    def _check(self, x: Tensor, mask: Tensor | None) -> None:
        check_tensor("x", x, "(batch, time, d_model)", (None, None, self.d_model))
        if not torch.is_autocast_enabled(x.device.type):
            check_alike("x", x, "the layer", self.q_proj.weight)
        check_finite(x.detach(), "x", torch.finfo(x.dtype).max)
        check_mask(mask, x)

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(2, (self.heads, -1))

    def _fitting(self, state: SlotFreeState, x: Tensor) -> SlotFreeState:
        like = x.new_empty(0, dtype=torch.promote_types(x.dtype, torch.float32))
        sizes = (x.shape[0], self.heads, self.n_hidden, self.key_dim, self.value_dim)
        state = check_state(state, like, sizes, self.d_model if self.local else 0)
        seen = None if torch.compiler.is_compiling() else self.connections
        if seen is not None and bool((state.keys.detach() * ~seen).any()):
            raise ValueError("state.keys must be 0 where units see nothing: is it the state of another layer?")
        return state

    def _attend(
        self,
        q: Tensor | None,
        k: Tensor,
        v: Tensor,
        x: Tensor,
        state: SlotFreeState | None,
        mask: Tensor | None,
        info: bool,
    ) -> tuple[Tensor, SlotFreeState, Info | None]:
        state = None if state is None else self._packed(self._fitting(state, x))
        if self.local:  # items are stored as values are, and nothing of what is stored has a graph
            k, v = k.detach(), torch.cat([v, x[:, :, None].expand(-1, -1, self.heads, -1)], 3).detach()
        y, state, what = attend(q, k, v, state, self.memory, self._drive(x, k), mask, info)
        return y, self._unpacked(state), what

    def _drive(self, x: Tensor, k: Tensor) -> Tensor | None:
        """What the components of x add to the drives of units, γ f |k|² P x, or γ f P x if γ was given; or its keys.

        A product of matrices rounds as it likes. Rounded from double precision, a key has the same bits in all calls.
        """
        if self.rule.address == "key":
            named = self._split(nn.functional.linear(x.double(), self.k_proj.weight.double())).float()
            return drive_of_keys(inner(k), named.transpose(1, 2), self.memory).transpose(1, 2)
        if self.projections is None:
            return None
        gain = self.rule.gain * self.rule.f * (k.square().sum(3, keepdim=True) if self.rule.scales else 1.0)
        return gain * torch.einsum("btd,hnd->bthn", x, self.projections)

    def _packed(self, state: SlotFreeState) -> SlotFreeState:
        if state.items is None:
            return state
        return state._replace(values=torch.cat([state.values, state.items], 3), items=None).detach()

    def _unpacked(self, state: SlotFreeState) -> SlotFreeState:
        if not self.local:
            return state
        values, items = state.values.split([self.value_dim, self.d_model], 3)
        return state._replace(values=values, items=items)

    def _out(self, y: Tensor, q: Tensor, mask: Tensor | None) -> Tensor:
        if self.local:
            y = self._local(y[..., self.value_dim :], q, mask)
        y = y.flatten(2)
        return y if self.o_proj is None else self.o_proj(y)

    def _local(self, reinstated: Tensor, q: Tensor, mask: Tensor | None) -> Tensor:
        """ŷ = W_V x̃, and the query-key rule for W_K, 2 (W_K x̃ − q) x̃ᵀ, at each query."""
        W_V, W_K = (p.weight.unflatten(0, (self.heads, -1)) for p in (self.v_proj, self.k_proj))
        y = torch.einsum("bthd,hvd->bthv", reinstated, W_V)
        if not (W_K.requires_grad and torch.is_grad_enabled()):
            return y
        off = torch.einsum("bthd,hnd->bthn", reinstated.detach(), W_K) - q.detach()
        squares = off.square() if mask is None else off.square() * mask[:, :, None, None]
        return _WithLoss.apply(y, self.local_weight * squares.sum())

    def extra_repr(self) -> str:
        """Return the settings, as a printed model shows them."""
        return (
            f"d_model={self.d_model}, n_hidden={self.n_hidden}, key_dim={self.key_dim}, value_dim={self.value_dim}, "
            f"heads={self.heads}, storage={self.storage}, select={self.select!r}, local={self.local}"
        )


class _WithLoss(torch.autograd.Function):
    """Hand something on as it is; when it is differentiated, so is a loss, with weight 1."""

    @staticmethod
    def forward(ctx: Any, y: Tensor, loss: Tensor) -> Tensor:
        return y.view_as(y)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor]:
        return grads[0], grads[0].new_ones(())
