"""The trainings that there are: correct ones first."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from dpcheck.model.claims import ApproxDP, GaussianDP
from dpcheck.model.training import GaussianSteps
from dpcheck.parts.trained import layers, mistakes, tree, votes
from dpcheck.parts.trained.entry import TrainedEntry, two_classes
from dpcheck.parts.trained.gradient_steps import ACCOUNTED, GradientSteps, adam_step

#: What 60 steps at 0.1 with noise 1.2 are, rounded up.
CLAIM = ApproxDP(5.0, 1e-5)
#: Where a mistake was seen: a thread or a file that has it, or a paper that tells of it.
SEEN_IN: dict[str, str] = {
    "gradients_not_clipped": "f-dangel/backpack, example of differential privacy: the factor is the wrong way round",
    "mean_clipped": "PaddlePaddle/Paddle, dpsgd_kernel.cc",
    "groups_clipped": "tensorflow/privacy issues 81 and 620",
    "layers_clipped_apart": "fedbiomed/fedbiomed issue 1443",
    "batch_normalised": "meta-pytorch/opacus issue 319",
    "divided_by_batch_size": "google-deepmind/optax, contrib/_privacy.py",
    "noise_divided_twice": "Tramèr et al. 2022: a factor of the batch size",
    "multiplier_as_deviation": "PaddlePaddle/Paddle, dpsgd_kernel.cc",
    "noise_of_small_steps": "google-deepmind/optax issue 527",
    "noise_of_a_fixed_seed": "google-deepmind/optax, contrib/_privacy.py without a key; PaddlePaddle/Paddle pull 21949",
    "noise_seeded_by_data": "world-federation-of-advertisers/cross-media-measurement issue 4387",
    "noise_of_one_number": "PaddlePaddle/Paddle, dpsgd_kernel.cc",
    "constant_without_noise": "NVIDIA/NVFlare issue 343",
    "batches_shuffled": "meta-pytorch/opacus issue 80; Chua et al. 2024",
    "batches_in_turn": "google-deepmind/jax_privacy issue 84",
    "batches_of_fixed_size": "lxuechen/private-transformers issue 7",
    "batch_drawn_once": "vanderschaarlab/mlforhealthlabpub issue 29",
    "rate_of_another_size": "meta-pytorch/opacus issue 813, the other way round",
    "steps_of_an_epoch": "meta-pytorch/opacus issue 19",
    "data_standardised": "BorealisAI/private-data-generation issue 12; vanderschaarlab/synthcity issue 278",
    "best_checkpoint": "lxuechen/private-transformers, classification trainer",
    "size_told": "meta-pytorch/opacus issue 571",
    "divided_by_data_size": "meta-pytorch/opacus issue 571",
    "epsilon_of_one_step": "KarhouTam/FL-bench pull 200",
}


@cache
def entries() -> tuple[TrainedEntry, ...]:
    """All trainings.

    >>> [entry.name for entry in entries() if not entry.broken]
    ['dp_sgd', 'dp_adam', 'dp_gd', 'dp_sgd_in_epochs', 'dp_sgd_of_layers', 'dp_ftrl', 'votes_of_teachers']
    """
    return (*_correct(), *_broken())


def _correct() -> tuple[TrainedEntry, ...]:
    in_epochs = GaussianSteps(noise_multiplier=3.0, clipping_norm=1.0, steps=60, participations=6)
    whole = GaussianSteps(noise_multiplier=8.0, clipping_norm=1.0, steps=60)
    return (
        _entry("dp_sgd", "DP-SGD: Poisson batches, clipped gradients, fresh noise", GradientSteps()),
        _entry("dp_adam", "DP-Adam: the same releases, and Adam's steps", GradientSteps(step=adam_step)),
        _entry(
            "dp_gd",
            "all records in each step, mu-GDP",
            GradientSteps(whole, rate=1.0 - 1e-12, draw=mistakes.all_of_them),
            accounted=whole,
            claim=GaussianDP(0.97),
        ),
        _entry(
            "dp_sgd_in_epochs",
            "shuffled batches, accounted without sampling",
            GradientSteps(in_epochs, draw=mistakes.shuffled),
            accounted=in_epochs,
            claim=GaussianDP(1.64),
            neighbours="replace-one",  # without a record the others would be in other batches
        ),
        _entry("dp_sgd_of_layers", "DP-SGD of a net of two layers", layers.TwoLayers()),
        _entry(
            "dp_ftrl",
            "DP-FTRL: sums over a binary tree, one pass",
            tree.TreeOfSums(),
            accounted=tree.ACCOUNTED,
            claim=GaussianDP(0.56),
        ),
        _entry(
            "votes_of_teachers",
            "PATE: votes of teachers with noise",
            votes.Votes(),
            accounted=votes.ACCOUNTED,
            claim=GaussianDP(0.92),
        ),
    )


def _entry(
    name: str,
    summary: str,
    train: GradientSteps | layers.TwoLayers | tree.TreeOfSums | votes.Votes,
    *,
    accounted: GaussianSteps = ACCOUNTED,
    claim: ApproxDP | GaussianDP = CLAIM,
    neighbours: str = "add-remove",
    broken: str = "",
) -> TrainedEntry:
    seen_in = SEEN_IN.get(name, "")
    return TrainedEntry(name, summary, train, claim, accounted, two_classes, neighbours, broken, seen_in)


def _broken() -> tuple[TrainedEntry, ...]:
    twice = replace(ACCOUNTED, clipping_norm=2.0)
    few = replace(ACCOUNTED, steps=10)
    found: tuple[tuple[str, str, GradientSteps | layers.TwoLayers, str], ...] = (
        ("gradients_not_clipped", "no clipping", GradientSteps(total=mistakes.not_clipped), "clipping"),
        ("mean_clipped", "the mean gradient is clipped", GradientSteps(total=mistakes.mean_clipped), "clipping"),
        ("groups_clipped", "means of groups are clipped", GradientSteps(total=mistakes.groups_clipped), "clipping"),
        ("constant_not_clipped", "a layer left out", GradientSteps(total=mistakes.constant_left_out), "clipping"),
        ("coordinates_clipped", "numbers clipped", GradientSteps(total=mistakes.coordinates_clipped), "clipping"),
        ("layers_clipped_apart", "a norm for each layer", layers.TwoLayers(layers.clipped_apart), "clipping"),
        ("batch_normalised", "batch norm", GradientSteps(gradients=mistakes.batch_normalised), "clipping"),
        ("divided_by_batch_size", "means of actual batches", GradientSteps(divisor=mistakes.actual_size), "clipping"),
        ("noise_divided_twice", "noise of a mean", GradientSteps(noise=mistakes.divided_twice), "noise"),
        ("multiplier_as_deviation", "no norm", GradientSteps(twice, noise=mistakes.multiplier_alone), "noise"),
        ("noise_of_small_steps", "accumulation", GradientSteps(noise=mistakes.shared_by_small_steps), "noise"),
        ("noise_again_each_epoch", "noise reused", GradientSteps(noise=mistakes.again_each_epoch), "noise"),
        ("noise_drawn_once", "one noise for all steps", GradientSteps(noise=mistakes.drawn_once), "noise"),
        ("noise_of_a_fixed_seed", "a known seed", GradientSteps(noise=mistakes.of_a_fixed_seed), "noise"),
        ("noise_seeded_by_data", "a seed from data", GradientSteps(noise=mistakes.of_a_seed_from_the_data), "noise"),
        ("noise_of_one_number", "broadcast", GradientSteps(noise=mistakes.one_number_for_all), "noise"),
        ("constant_without_noise", "a layer left out", GradientSteps(noise=mistakes.none_on_the_constant), "noise"),
        ("last_step_without_noise", "off at the end", GradientSteps(noise=mistakes.none_in_the_last_step), "noise"),
        ("noise_that_falls", "a schedule", GradientSteps(noise=mistakes.falling), "noise"),
        ("uniform_noise", "another law", GradientSteps(noise=mistakes.uniform), "noise"),
        ("noise_of_gradients_size", "adaptive", GradientSteps(noise=mistakes.of_the_size_of_the_gradients), "noise"),
        ("batches_shuffled", "epochs", GradientSteps(draw=mistakes.shuffled), "sampling"),
        ("batches_in_turn", "no drawing", GradientSteps(draw=mistakes.in_turn), "sampling"),
        ("batches_of_fixed_size", "no Poisson", GradientSteps(draw=mistakes.of_fixed_size), "sampling"),
        ("batch_drawn_once", "one batch", GradientSteps(draw=mistakes.the_same), "sampling"),
        ("sampling_left_out", "all records", GradientSteps(draw=mistakes.all_of_them), "sampling"),
        ("rate_of_another_size", "twice the rate", GradientSteps(rate=0.2), "sampling"),
        ("hard_records_more_often", "importance", GradientSteps(draw=mistakes.wrong_ones_more_often), "sampling"),
        ("steps_of_an_epoch", "steps not counted", GradientSteps(few), "steps"),
        ("data_standardised", "scaled", GradientSteps(prepare=mistakes.standardised), "leftovers"),
        ("principal_components", "PCA", GradientSteps(prepare=mistakes.by_principal_components), "leftovers"),
        ("best_checkpoint", "chosen on private data", GradientSteps(give=mistakes.best_model), "leftovers"),
        ("error_told", "training accuracy", GradientSteps(give=mistakes.with_its_error), "leftovers"),
        ("size_told", "n given away", GradientSteps(give=mistakes.with_the_number_of_records), "leftovers"),
        ("divided_by_data_size", "n used", GradientSteps(divisor=mistakes.by_the_number_of_records), "leftovers"),
        ("stopped_early", "on private data", GradientSteps(stop=mistakes.where_it_gets_no_better), "leftovers"),
        ("step_after_the_last", "not told", GradientSteps(give=mistakes.with_one_step_without_noise), "leftovers"),
        ("epsilon_of_one_step", "no composition", GradientSteps(), "accounting"),
    )
    return tuple(
        _entry(
            name,
            summary,
            train,
            accounted=train.accounted,
            claim=ApproxDP(1.0, 1e-5) if broken == "accounting" else CLAIM,
            broken=broken,
        )
        for name, summary, train, broken in found
    )
