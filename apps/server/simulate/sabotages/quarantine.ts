import { CompiledQuery } from 'kysely'
import { GOOD_NODES } from '../service/node.ts'
import { changed, inStatementsWith, NOTHING, replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'

/** Settlements fail while tokens come and go. */
const FAILING = {
  quarantine: true,
  faults: GOOD_NODES,
  often: [
    'make a wallet’s settlement fail',
    'let settlements succeed again',
    'send tokens away',
    'receive tokens',
    'follow the chain',
  ],
} as const

/** Broken rules of wallets in quarantine. */
export const BROKEN_QUARANTINE: readonly BrokenRule[] = [
  {
    rule: 7,
    name: 'a quarantined wallet settles a block before one that it missed',
    seed: 2,
    emphasis: FAILING,
    finds: /settled block \d+ before block \d+|never knew/,
    sabotage: {
      statement: inStatementsWith(
        ['with locked as materialized'],
        replaced(
          'exists (select 1 from quarantined_wallets s',
          'false and exists (select 1 from quarantined_wallets s',
        ),
      ),
    },
  },
  {
    rule: 7,
    name: 'a block that a quarantined wallet misses is forgotten',
    seed: 1,
    emphasis: FAILING,
    finds: /neither settled block \d+ nor keeps it for later/,
    sabotage: { statement: changed('insert into "quarantined_blocks"', () => NOTHING) },
  },
  {
    rule: 7,
    name: 'the settlement of a wallet fails',
    seed: 1,
    emphasis: { faults: GOOD_NODES, often: ['send tokens away', 'receive tokens', 'follow the chain'] },
    finds: /failed to settle a wallet: it is quarantined.*division by zero/,
    sabotage: {
      statement: changed('insert into ledger_entries', () => CompiledQuery.raw('select 1 / 0')),
    },
  },
  {
    rule: 7,
    name: 'a quarantined wallet never settles what it missed',
    seed: 1,
    emphasis: FAILING,
    finds: /is still quarantined, with blocks/,
    sabotage: {
      statement: changed('select "block_number", "is_past" from "quarantined_blocks"', () =>
        CompiledQuery.raw('select block_number, is_past from quarantined_blocks where false'),
      ),
    },
  },
]
