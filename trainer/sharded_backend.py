"""The backend whose weights, gradients and moments lie in shares on several processes (FSDP2).

Every process packs the same samples into the same micro-batches and computes every n-th of them;
gradients are added up, never averaged, and each loss is divided by the counts of the whole batch.

Guarantees: the update does not depend on the number of processes but for the order of sums; all
processes take part in every collective call, whatever their share of the micro-batches is: where
one of them reads pictures, the others read a blank one, for the vision tower is gathered, too; a
checkpoint continues on another number of processes.

Source: PyTorch's FSDP2 (`torch.distributed.fsdp.fully_shard`).

Shape suffixes: see `trainer/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import (
    StateDictOptions,
    get_state_dict,
    set_state_dict,
)
from torch.distributed.checkpoint.state_dict_loader import load
from torch.distributed.checkpoint.state_dict_saver import save
from torch.distributed.fsdp import (
    CPUOffloadPolicy,
    FSDPModule,
    MixedPrecisionPolicy,
    OffloadPolicy,
    fully_shard,
)
from transformers.modeling_layers import GradientCheckpointingLayer

from trainer.backend import GradientPass
from trainer.learner_config import LearnerConfig
from trainer.learner_processes import gather, on_all_processes, process_device
from trainer.lora import Adapter, attach_adapters, make_adapter, merged_weights
from trainer.losses import Objective, StreamCounts, weigh_targets
from trainer.packed_forward import BLOCKS, POSITIONS, choose_attention
from trainer.packing import MicroBatch, pack
from trainer.patch_projection import project_patches
from trainer.picture_forward import add_blank_picture
from trainer.pictures import PictureReader
from trainer.rounded_adamw import RoundedAdamW
from trainer.samples import Sample
from trainer.sharded_tensors import local_share, sharded_like
from trainer.target_model import TargetModel
from trainer.transformers_backend import load_language_model, turn_off_dropout
from trainer.unfused_attention import UNFUSED

Measure = Callable[[MicroBatch, Tensor, Tensor, Tensor], dict[int, Tensor]]
"""micro-batch, logprobs [N], entropies [N], states [N, E] -> what is asked for, by sample"""
TRAINED = StateDictOptions(ignore_frozen_params=True, strict=False)
"""What a checkpoint holds: of adapters not the base, which the model's folder has."""


class ShardedBackend:
    """See `trainer.backend.Backend`. Made by every process of the group, of the same folder."""

    pictures: PictureReader | None = None

    def __init__(self, source: Path, config: LearnerConfig) -> None:
        self.config, self.device = config, process_device(dist.get_rank())
        self._rank, self._world = dist.get_rank(), dist.get_world_size()
        self._dtype = config.compute_dtype
        model: Any = load_language_model(source)
        turn_off_dropout(model)
        if self.device.type == "cpu":
            project_patches(model)
        if config.lora.rank:
            # From one seed: adapters begin with the same values in all processes.
            attach_adapters(model, config.lora, config.seed)
            for parameter in model.parameters():
                if not parameter.requires_grad:
                    parameter.data = parameter.data.to(self._dtype)
        model.config.architectures = [type(model).__name__]
        if config.checkpoint_activations:
            model.gradient_checkpointing_enable({"use_reentrant": False})
            model.train()
        if hasattr(model.config, "vision_config"):
            self.pictures = PictureReader(source)
        self.model_config = model.config
        self._shares_prompts = self._choose_attention(model)
        self._targets = TargetModel(model, config.temperature, self.pictures)
        self._shard(model)
        self._reference: list[Tensor] | None = None
        self.reset_optimizer_here()

    def _choose_attention(self, model: Any) -> bool:
        """Sets it; whether prompts can be shared."""
        attention = choose_attention(model, self.device, self._dtype)
        is_slow = attention == POSITIONS and self.device.type == "cpu"
        is_slow = is_slow and self._dtype == torch.bfloat16
        model.set_attn_implementation(UNFUSED if is_slow else attention)
        return attention == BLOCKS

    def _shard(self, model: Any) -> None:
        # Layers are given what they compute with: a vision tower turns its patches in fp32.
        mixed = MixedPrecisionPolicy(
            param_dtype=self._dtype, reduce_dtype=torch.float32, cast_forward_inputs=False
        )
        offload = CPUOffloadPolicy() if self.config.offload else OffloadPolicy()
        embedding, head = model.get_input_embeddings(), model.get_output_embeddings()
        if embedding.weight is not head.weight:
            # A gradient that is summed over the rows of a frequent token stays in fp32.
            exact = MixedPrecisionPolicy(reduce_dtype=torch.float32, output_dtype=self._dtype)
            fully_shard(embedding, mp_policy=exact, offload_policy=offload)
        for module in model.modules():
            if isinstance(module, GradientCheckpointingLayer):
                fully_shard(module, mp_policy=mixed, offload_policy=offload)
        fully_shard(self._targets, mp_policy=mixed, offload_policy=offload)
        for module in self._targets.modules():
            if isinstance(module, FSDPModule):
                # Losses are divided by global counts already, and gloo's mean is wrong
                # (pytorch#162338).
                module.set_gradient_divide_factor(1.0)
                module.set_force_sum_reduction_for_comms(True)
        for buffer in self._targets.buffers():
            buffer.data = buffer.data.to(self.device)

    @property
    def leads(self) -> bool:
        """Whether this process is the run's."""
        return self._rank == 0

    @property
    def has_reference(self) -> bool:
        """See `Backend`."""
        return self._reference is not None

    @property
    def _parameters(self) -> list[nn.Parameter]:
        return [p for p in self._targets.parameters() if p.requires_grad]

    @property
    def _shares(self) -> list[Tensor]:
        """This process's part of what is trained."""
        return [local_share(parameter.data) for parameter in self._parameters]

    def close(self) -> None:
        """Nothing of its own is open: who started the followers ends them."""

    @on_all_processes
    def reset_optimizer(self) -> None:
        """See `Backend`."""
        self.reset_optimizer_here()

    def reset_optimizer_here(self) -> None:
        """The same in this process."""
        config, parameters = self.config, self._parameters
        groups: list[dict[str, Any]] = [
            {
                "params": [p for p in parameters if p.ndim >= 2],
                "weight_decay": config.weight_decay,
            },
            {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
        ]
        optimizer = RoundedAdamW if config.moments == "bfloat16" else torch.optim.AdamW
        self._optimizer: torch.optim.Optimizer = optimizer(
            [group for group in groups if group["params"]],
            lr=config.lr,
            betas=config.betas,
            eps=config.adam_eps,
        )

    @on_all_processes
    def snapshot_reference(self) -> None:
        """See `Backend`. Each process keeps its share."""
        self._reference = [share.clone() for share in self._shares]

    @on_all_processes
    def drop_reference(self) -> None:
        """See `Backend`."""
        self._reference = None

    @on_all_processes
    def compute_gradient(
        self, samples: Sequence[Sample], before_L: Sequence[Tensor | None], objective: Objective
    ) -> GradientPass:
        """See `Backend`."""
        return self._accumulate(self._pack(samples), before_L, objective)

    @on_all_processes
    def compute_packed_gradient(
        self, batches: Sequence[MicroBatch], counts: StreamCounts
    ) -> list[dict[str, float]]:
        """See `Backend`."""
        return self._accumulate(batches, (), Objective(self.config.loss, counts)).sums

    def _accumulate(
        self,
        batches: Sequence[MicroBatch],
        before_L: Sequence[Tensor | None],
        objective: Objective,
    ) -> GradientPass:
        self._optimizer.zero_grad()
        references = self._reference_targets(batches)
        results: dict[int, tuple[dict[str, float], dict[int, Tensor]]] = {}
        for index, micro, is_own in self._turns(batches):
            logprobs_N, entropy_N, _ = self._targets(micro)
            loss, proximal_N, sums = weigh_targets(
                logprobs_N,
                entropy_N,
                references.get(index),
                micro,
                before_L if is_own else (),
                objective.counts,
                objective.config,
            )
            # A process without a micro-batch of its own repeats one, without effect: all must
            # gather and reduce together.
            (loss if is_own else loss * 0.0).backward()
            if is_own:
                values: list[float] = torch.stack(list(sums.values())).tolist()
                kept = _by_sample(micro, proximal_N) if before_L else {}
                results[index] = (dict(zip(sums, values, strict=True)), kept)
        everything = _merge(gather(results))
        result = GradientPass()
        for index in range(len(batches)):
            sums_of_batch, kept = everything[index]
            result.sums.append(sums_of_batch)
            result.proximal.update(kept)
        return result

    def _reference_targets(self, batches: Sequence[MicroBatch]) -> dict[int, Tensor]:
        """[N] by micro-batch of this process. All take part if any of them needs a reference."""
        if self._reference is None or not any(micro.has_ref_kl for micro in batches):
            return {}
        with torch.no_grad(), self._at(self._reference):
            return {index: self._targets(micro)[0] for index, micro, _ in self._turns(batches)}

    @contextmanager
    def _at(self, values: list[Tensor]) -> Iterator[None]:
        """These are the shares of what is trained, within."""
        shares = self._shares
        present = [share.clone() for share in shares]
        with torch.no_grad():
            torch._foreach_copy_(shares, values)
        self._reshard()
        try:
            yield
        finally:
            with torch.no_grad():
                torch._foreach_copy_(shares, present)
            self._reshard()

    def _reshard(self) -> None:
        """Gives up gathered parameters: a forward without a backward leaves the outer ones."""
        for module in self._targets.modules():
            if isinstance(module, FSDPModule):
                module.reshard()

    def _turns(self, batches: Sequence[MicroBatch]) -> Iterator[tuple[int, MicroBatch, bool]]:
        """Micro-batches of this process with their number, as many as any other has; the last may
        be another's."""
        for begin in range(0, len(batches), self._world):
            turn = batches[begin : begin + self._world]
            is_own = self._rank < len(turn)
            place = self._rank if is_own else 0
            micro = turn[place]
            sees = any(any(each.pictures) for each in turn)
            if self.pictures is not None and sees and not any(micro.pictures):
                micro = add_blank_picture(micro, self.pictures, self.model_config.image_token_id)
            yield begin + place, micro.to(self.device), is_own

    @on_all_processes
    def gradient_norm(self) -> float:
        """See `Backend`."""
        squares = torch.zeros((), dtype=torch.float64, device=self.device)
        for parameter in self._parameters:
            if parameter.grad is not None:
                squares += local_share(parameter.grad).double().square().sum().to(self.device)
        dist.all_reduce(squares)
        return float(squares.sqrt())

    @on_all_processes
    def apply_gradient(self, scale: float, rate: float) -> None:
        """See `Backend`."""
        for parameter in self._parameters:
            if parameter.grad is None:
                # A vision tower does not run without pictures, but has its moments, too.
                parameter.grad = torch.zeros_like(parameter)
            local_share(parameter.grad).mul_(scale)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()

    @on_all_processes
    def logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """See `Backend`."""
        return self._own_logprobs(samples)

    @on_all_processes
    def reference_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """See `Backend`."""
        if self._reference is None:
            raise ValueError("there is no reference: call snapshot_reference() first")
        with self._at(self._reference):
            return self._own_logprobs(samples)

    @on_all_processes
    def entropies(self, samples: Sequence[Sample]) -> list[Tensor]:
        """See `Backend`."""
        return self._measure(samples, lambda micro, *parts: _by_sample(micro, parts[1]))

    @on_all_processes
    def prompt_states(self, samples: Sequence[Sample]) -> Tensor:
        """See `Backend`."""
        # The prompt's last token predicts the first token of the completion; no other is needed.
        firsts = [
            Sample(sample.prompt_ids, sample.completion_ids[:1], pictures=sample.pictures)
            for sample in samples
        ]

        def first_state(micro: MicroBatch, *parts: Tensor) -> dict[int, Tensor]:
            states_NE = parts[2].float().cpu()
            return {place: states_NE[rows.start] for place, rows in micro.completions}

        return torch.stack(self._measure(firsts, first_state))

    @on_all_processes
    def base_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """See `Backend`."""
        if not self.config.lora.rank:
            return self._own_logprobs(samples)
        # Adapters of zeros are none.
        with self._at([torch.zeros_like(share) for share in self._shares]):
            return self._own_logprobs(samples)

    def _own_logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        return self._measure(samples, lambda micro, logs_N, *_: _by_sample(micro, logs_N))

    @torch.no_grad()
    def _measure(self, samples: Sequence[Sample], measure: Measure) -> list[Tensor]:
        results: dict[int, Tensor] = {}
        for _, micro, is_own in self._turns(self._pack(samples)):
            values = measure(micro, *self._targets(micro))
            if is_own:
                results |= values
        self._reshard()
        everything = _merge(gather(results))
        return [everything[place] for place in range(len(samples))]

    @on_all_processes
    def export_bf16_state(self) -> dict[str, Tensor]:
        """See `Backend`: gathered one by one, on the CPU of the leader."""
        state: dict[str, Tensor] = {}
        for name, whole in merged_weights(self._targets.model):
            if self.leads:
                state[name] = whole.to("cpu", torch.bfloat16, copy=True)
        return state

    @on_all_processes
    def export_adapter(self) -> Adapter | None:
        """See `Backend`."""
        lora = self.config.lora
        return make_adapter(self._targets.model, lora) if lora.rank else None

    def state_dict(self) -> dict[str, Any]:
        """See `Backend`: weights and moments lie in the files of `write_shards`."""
        return {"shape": self._shape(), "has_reference": self.has_reference}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """See `Backend`; `read_shards` does the rest."""
        if state["shape"] != self._shape():
            raise ValueError(
                f"the checkpoint is of a model of shape {state['shape']}, this one has "
                f"{self._shape()}"
            )

    @on_all_processes
    def write_shards(self, folder: Path) -> None:
        """Weights, moments and reference: each process writes its share (DCP)."""
        save(self._sharded_state(self._reference), checkpoint_id=folder)

    @on_all_processes
    def read_shards(self, folder: Path, has_reference: bool) -> None:
        """Takes back what any number of processes wrote."""
        reference = [share.clone() for share in self._shares] if has_reference else None
        state = self._sharded_state(reference)
        load(state, checkpoint_id=folder)
        set_state_dict(
            self._targets,
            self._optimizer,
            model_state_dict=state["model"],
            optim_state_dict=state["moments"],
            options=TRAINED,
        )
        self._reference = reference

    def _sharded_state(self, reference: list[Tensor] | None) -> dict[str, Any]:
        model, moments = get_state_dict(self._targets, self._optimizer, options=TRAINED)
        state: dict[str, Any] = {"model": model, "moments": moments}
        if reference is not None:
            named = zip(self._trained_names(), self._parameters, reference, strict=True)
            state["reference"] = {name: sharded_like(p.data, share) for name, p, share in named}
        return state

    def _trained_names(self) -> list[str]:
        """Names of the parameters that are trained."""
        return [name for name, p in self._targets.named_parameters() if p.requires_grad]

    def _shape(self) -> dict[str, Any]:
        trained = zip(self._trained_names(), self._parameters, strict=True)
        sizes = {name: tuple(p.shape) for name, p in trained}
        return {"model_type": self.model_config.model_type, "sizes": sizes}

    def _pack(self, samples: Sequence[Sample]) -> list[MicroBatch]:
        if not samples:
            return []
        shares = self.config.share_prompts and self._shares_prompts
        return pack(samples, self.config.micro_tokens, self._world, shares)


def _by_sample(micro: MicroBatch, values_N: Tensor) -> dict[int, Tensor]:
    values = values_N.detach().float().cpu()
    return {place: values[rows].clone() for place, rows in micro.completions}


def _merge(parts: Sequence[dict[int, Any]]) -> dict[int, Any]:
    return {key: value for part in parts for key, value in part.items()}
