"""Turns episodes into better weights.

Tensor shapes are suffixes of names, one letter a dimension: `scores_HQS` is heads x queries x keys.

    B  sequences of a padded batch (only in benchmarks)
    T  input tokens of a micro-batch, packed into one row (in BT: of a padded sequence)
    R  tail rows: the rows of T from which something is predicted
    N  targets: one entry for each predicted token, prompt and completion
    Q  queries of one attention block, rows of T or R
    S  keys of one attention block, consecutive rows of T
    H  query heads
    K  key/value heads
    G  query heads that share a key/value head, H / K
    J  heads that are normalised together: H, K or H + K
    D  width of a head
    E  width of the residual stream
    F  width of the MLP
    V  vocabulary
    P  parameters: entries of a flat tensor of all that is trained
    W  entries of a norm's weight: E, or J x D
    C  pairs of a rotary embedding, D / 2
    M  last keys of an attention block, which its mask covers
    L  tokens of one sample's completion
    I  inputs of a linear layer
    O  outputs of a linear layer
    A  width of an adapter, its rank
    U  patches of a picture
    X  values of a patch
    Z  rows at which the samples of a micro-batch begin, and the end of the last one

A digit is a dimension of that size: `inverse_T1`. Scalars, and lists and dicts of tensors of
several shapes have no suffix; what becomes shorter on its way (`hidden`) says so in a comment.
Underscores separate the dimensions where one of them is a product: `probs_K_GQ_S`. Weights keep the
names of the matrices; their layouts are in `trainer.decoder_backend`.
"""
