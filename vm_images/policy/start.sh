#!/bin/sh
# Serves the model that DESKHAND_MODEL names, or the live version of the run in DESKHAND_RUN_DIR (its
# first one while none is live); waits for it where there is none yet. Its guard wants the keys that
# DESKHAND_POLICY_KEY[_FILE] and DESKHAND_POLICY_CONTROL_KEY[_FILE] name. Prompt and answer have
# DESKHAND_POLICY_MAX_MODEL_LEN tokens at most, as workers and trainers know it.
set -eu
find_version() {
  for folder in "$DESKHAND_RUN_DIR/policy/live" "$DESKHAND_RUN_DIR/policy/v000000"; do
    if [ -e "$folder/manifest.json" ]; then readlink -f "$folder"; return; fi
  done
}
model="${DESKHAND_MODEL:-$(find_version)}"
[ -n "$model" ] || echo "no version in $DESKHAND_RUN_DIR/policy yet: waiting for one" >&2
while [ -z "$model" ]; do
  touch /tmp/waiting
  sleep 1
  model="$(find_version)"
done
rm -f /tmp/waiting
# As agent_server/policy/compute_dtype.py: a processor that does not multiply bfloat16 is far slower
# emulating it than in float32. An option of the command line comes later and wins.
dtype=bfloat16
[ -e /dev/nvidiactl ] || grep -qwE 'avx512_bf16|amx_bf16|bf16|svebf16' /proc/cpuinfo || dtype=float32
exec python -m policy_server --model "$model" --served-model-name policy --dtype "$dtype" \
  --max-model-len "${DESKHAND_POLICY_MAX_MODEL_LEN:-1024}" --host 0.0.0.0 --port 8000 --logprobs-mode processed_logprobs --generation-config vllm --enable-scale-out \
  --middleware policy_guard.PolicyGuard --disable-uvicorn-access-log --disable-log-stats "$@"
