import { GOOD_NODES } from '../service/node.ts'
import { inStatementsWith, replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'
import { AGENTS, STEPS_OF_OTHERS } from './treasury.ts'

/** People withdraw from markets that have lent most of it. */
const WAITING = {
  ...AGENTS,
  unkind: true,
  awaited: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'lend out a market', 'request a withdrawal in parts'],
  never: [...AGENTS.never, 'refuse withdrawals', 'cancel an awaited withdrawal'],
} as const

/** Agents finish at once what there is, so that people can request, and money arrives that could be deposited. */
const ARRIVING = {
  ...WAITING,
  limits: true,
  often: ['agents do all that waits', 'lend out a market', 'request a withdrawal in parts', 'receive tokens'],
  never: [
    ...WAITING.never,
    'set deposit limits',
    'cap a strategy',
    'let pools bound deposits',
    'an agent acts',
    ...STEPS_OF_OTHERS,
    'change a market and gas',
  ],
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
  {
    rule: 10,
    name: 'deposits go where a withdrawal is awaited',
    seed: 7,
    emphasis: ARRIVING,
    finds: /where withdrawal \d+ is awaited/,
    sabotage: {
      // Neither the planner knows of it, nor the transaction that plans the deposit.
      statement: inStatementsWith(
        ['awaited'],
        replaced(`coalesce(awaited.open, '[]') as awaited`, `'[]'::jsonb as awaited`),
        replaced(
          /(from "awaited_withdrawals" where) ("organization_id" = \$\d+ and "op_wallet_id")/,
          '$1 false and $2',
        ),
      ),
    },
  },
]
