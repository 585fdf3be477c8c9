#!/usr/bin/env bash
# Run the tests ten times in random orders, beside four busy processes, under changing hash seeds and BLAS kernels.
# The arguments are those of pytest; PYTEST is the command.
set -u
cd "$(dirname "$0")/../.."
busy=()
trap 'kill "${busy[@]}" 2>/dev/null' EXIT
for _ in 1 2 3 4; do
    python3 -c "while True: pass" &
    busy+=($!)
done
failed=0
for run in 1 2 3 4 5 6 7 8 9 10; do
    hash_seed=$(((run - 1) / 3 % 3))
    [ "$hash_seed" -lt 2 ] || hash_seed=random
    case $((run % 3)) in
        0) unset OPENBLAS_CORETYPE ;;
        1) export OPENBLAS_CORETYPE=Haswell ;;
        2) export OPENBLAS_CORETYPE=Prescott ;;
    esac
    echo "run $run of 10: PYTHONHASHSEED=$hash_seed OPENBLAS_CORETYPE=${OPENBLAS_CORETYPE:-unset}"
    PYTHONHASHSEED=$hash_seed $PYTEST -n "${WORKERS:-6}" --dist worksteal --random-order --random-order-seed="$RANDOM" "$@" || failed=$((failed + 1))
done
echo "$failed of 10 runs failed"
exit "$((failed > 0))"
