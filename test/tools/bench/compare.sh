#!/usr/bin/env bash
# Compares the benchmarks of the working tree with those of a commit, using benchstat: compare.sh
# COMMIT BENCHMARKS COUNT.
set -euo pipefail
cd "$(dirname "$0")/../../.."
dir=$(mktemp -d)
trap 'git worktree remove --force "$dir/tree"; rm -rf "$dir"' EXIT
git worktree add --quiet --detach "$dir/tree" "$1"

measure() { # tree, benchmarks, count
  local bench=./test/tools/bench
  [ -d "$1/$bench" ] || bench=./test/bench # the folder in older commits
  (cd "$1" && go test -tags nomsgpack -vet=off -run '^$' -bench "$2" -benchmem -count "$3" $bench ./adapters/httpapi ./domain/query)
}

measure "$dir/tree" "$2" "$3" > "$dir/before"
measure . "$2" "$3" > "$dir/now"
(cd "$dir" && go run golang.org/x/perf/cmd/benchstat@latest before now)
