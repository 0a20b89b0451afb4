"""What runs inside the policy server's own interpreter, which has none of our packages."""
