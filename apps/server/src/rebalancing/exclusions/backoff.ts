import { REBALANCE_BACKOFF_MS, REBALANCE_ILLIQUIDITY_MS } from '../../kernel/index.ts'

/** Pause after this many consecutive failures: 30 seconds, doubled each time, one hour at most (contract 10). */
export function backoffMs(failures: number): number {
  return Math.min(REBALANCE_BACKOFF_MS.first * 2 ** Math.max(failures - 1, 0), REBALANCE_BACKOFF_MS.max)
}

/** How long a wallet waits for strategies that cannot pay now: 15 seconds, doubled each time, five minutes at most. */
export function illiquidityMs(failures: number): number {
  return Math.min(REBALANCE_ILLIQUIDITY_MS.first * 2 ** Math.max(failures - 1, 0), REBALANCE_ILLIQUIDITY_MS.max)
}
