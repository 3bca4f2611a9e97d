import { BROKEN_AWAITED } from './awaited.ts'
import { BROKEN_BREAKERS } from './breakers.ts'
import { BROKEN_BREAKS } from './breaks.ts'
import type { BrokenRule } from './broken-rule.ts'
import { BROKEN_RULES } from './clients.ts'
import { BROKEN_DAYS } from './days.ts'
import { BROKEN_EXITS } from './exits.ts'
import { BROKEN_HISTORY } from './history.ts'
import { BROKEN_LIMITS } from './limits.ts'
import { BROKEN_MARKETS } from './markets.ts'
import { BROKEN_ODD } from './odd.ts'
import { BROKEN_QUARANTINE } from './quarantine.ts'
import { BROKEN_REFUSALS } from './refusals.ts'
import { BROKEN_ON_SOLANA } from './solana.ts'
import { BROKEN_TREASURY } from './treasury.ts'
import { BROKEN_WORKERS } from './workers.ts'

/** Every rule that is broken on purpose, to see that the simulation notices. */
export const ALL_BROKEN: readonly BrokenRule[] = [
  ...BROKEN_RULES,
  ...BROKEN_TREASURY,
  ...BROKEN_BREAKERS,
  ...BROKEN_BREAKS,
  ...BROKEN_LIMITS,
  ...BROKEN_EXITS,
  ...BROKEN_MARKETS,
  ...BROKEN_ODD,
  ...BROKEN_DAYS,
  ...BROKEN_AWAITED,
  ...BROKEN_REFUSALS,
  ...BROKEN_WORKERS,
  ...BROKEN_QUARANTINE,
  ...BROKEN_HISTORY,
  ...BROKEN_ON_SOLANA,
]
