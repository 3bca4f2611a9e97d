import type { ChainKind } from './game.ts'
import type { Report } from './run-seed.ts'

const LAST_LINES = 30

/** A failing seed for people: what is wrong, the last things that happened, and how to see it again. */
export function tellViolation(
  { seed, steps, violation, log, rows }: Report,
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
