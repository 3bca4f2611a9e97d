import { GOOD_NODES } from '../service/node.ts'
import { replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'

/** Soon something happens of which the database loses the last moments. */
const GOING_BACK = {
  history: true,
  faults: GOOD_NODES,
  often: ['the database goes back in time', 'plan a supply', 'submit the next transaction', 'follow the chain'],
} as const

/** Broken rules of a database that went back in time. */
export const BROKEN_HISTORY: readonly BrokenRule[] = [
  {
    rule: 5,
    name: 'nobody says that acknowledged writes are gone',
    seed: 3,
    emphasis: GOING_BACK,
    finds: /went back in time, and its state of epoch \d+ does not say so/,
    sabotage: {
      statement: replaced(
        /select note_loss\((\$\d+), (\$\d+)\) as begun/,
        'select $1::bigint, $2::timestamptz, null as begun',
      ),
    },
  },
  {
    rule: 5,
    name: 'ids of lost events are issued again',
    seed: 3,
    emphasis: GOING_BACK,
    finds: /event \d+ was issued before the database went back in time, and again/,
    // An epoch begins, and ids go on where the older state was.
    sabotage: {
      statement: replaced(
        /select note_loss\((\$\d+), (\$\d+)\) as begun/,
        `update database_history set epoch = epoch + 1, beat = $1::bigint + 1, lost_at = $2 returning epoch as begun`,
      ),
    },
  },
]
