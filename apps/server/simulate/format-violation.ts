import type { SeedReport } from './run-seed.ts'
import type { ChainKind } from './scenario.ts'

const LAST_LINES = 30

/** Describes a failing seed: what is wrong, the last events, and how to replay it. */
export function formatViolation(
  { seed, steps, violation, log, rows }: SeedReport,
  lines = LAST_LINES,
  chain?: ChainKind,
): string {
  return [
    `seed ${seed} fails at step ${steps}: ${violation}`,
    ...log.slice(-lines).map((line) => `  ${line}`),
    ...rows.slice(-lines).map((line) => `  ${line}`),
    `again: npm run simulate -- --seed ${seed}${chain ? ` --chain ${chain}` : ''}`,
  ].join('\n')
}
