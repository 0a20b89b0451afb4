#!/bin/sh
# Serves the newest published version in /policy (v000001, v000002, ...), or the model that
# DESKHAND_MODEL names; waits for the first version where there is none yet.
set -eu
newest() { find /policy -maxdepth 2 -name config.json -path '*/v[0-9]*' | sort | tail -n 1 | xargs -r dirname; }
model="${DESKHAND_MODEL:-$(newest)}"
[ -n "$model" ] || echo "no version in /policy yet: waiting for one" >&2
while [ -z "$model" ]; do
  touch /tmp/waiting
  sleep 1
  model="$(newest)"
done
rm -f /tmp/waiting
exec python -m vllm.entrypoints.openai.api_server --model "$model" --served-model-name policy \
  --host 0.0.0.0 --port 8000 --logprobs-mode processed_logprobs --generation-config vllm --enable-scale-out \
  --disable-uvicorn-access-log --disable-log-stats "$@"
