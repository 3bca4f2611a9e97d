import { GOOD_NODES } from '../service/node.ts'
import { replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'
import { AGENTS } from './treasury.ts'

/** People withdraw from markets that have lent most of it. */
const WAITING = {
  ...AGENTS,
  unkind: true,
  awaited: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'lend out a market', 'request a withdrawal in parts'],
  never: [...AGENTS.never, 'refuse withdrawals', 'cancel an awaited withdrawal'],
} as const

/** Broken rules of withdrawals that are paid in parts. */
export const BROKEN_AWAITED: readonly BrokenRule[] = [
  {
    rule: 10,
    name: 'the rest of a requested withdrawal is never fetched',
    seed: 12,
    emphasis: WAITING,
    finds: /an awaited withdrawal is not fetched/,
    sabotage: { statement: replaced(`coalesce(awaited.open, '[]') as awaited`, `'[]'::jsonb as awaited`) },
  },
  {
    rule: 10,
    name: 'what was fetched of a requested withdrawal does not count',
    seed: 32,
    emphasis: WAITING,
    finds: /awaited withdrawal \d+ of \d+ fetched/,
    sabotage: {
      statement: replaced(`sum(o.settled_amount) filter (where o.state = 'COMPLETED') as fetched`, '0 as fetched'),
    },
  },
]
