"""Page reading: what a policy learns from pages alone, before it acts (`deskhand pretrain`)."""
