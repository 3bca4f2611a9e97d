#!/usr/bin/env bash
# Installs and runs everything in deploy/ for real: npm run test:deploy [-- package proxies pooler compose chart upgrade side-by-side image clone systemd]
# A part exits with 77 where the machine lacks what it needs, and says so.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
[ $# -gt 0 ] || set -- package proxies pooler compose chart upgrade side-by-side image clone systemd
failed=0
for part in "$@"; do
  case "$part" in
    package) node deploy/try/try-package.ts ;;
    proxies) node deploy/try/try-proxies.ts ;;
    chart) node --disable-warning=ExperimentalWarning deploy/try/try-chart.ts ;;
    compose) node --disable-warning=ExperimentalWarning deploy/try/try-compose.ts ;;
    pooler) node deploy/try/try-pooler.ts ;;
    upgrade) node deploy/try/try-upgrade.ts ;;
    side-by-side) node deploy/try/try-side-by-side.ts ;;
    image) deploy/try/try-image.sh ;;
    clone) deploy/try/try-clone.sh ;;
    systemd) deploy/try/try-systemd.sh ;;
    *) echo "there is no part $part: package, proxies, pooler, compose, chart, upgrade, side-by-side, image, clone, systemd"; false ;;
  esac
  code=$?
  if [ "$code" = 77 ]; then echo "test:deploy: $part WAS SKIPPED"; elif [ "$code" != 0 ]; then
    echo "test:deploy: $part FAILED"
    failed=1
  fi
done
exit "$failed"
