import { GOOD_NODES } from '../service/node.ts'
import { replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'
import { AGENTS } from './treasury.ts'

/** Agents refuse one market at a time, while buffers change. */
const REFUSING = {
  ...AGENTS,
  refusing: true,
  faults: GOOD_NODES,
  signerFailure: 0,
  often: [...AGENTS.often, 'change a buffer', 'agents refuse a market'],
  never: [...AGENTS.never, 'change a market and gas'],
} as const

/** Caps spread the money over several markets before it is withdrawn. */
const SPREAD = {
  ...REFUSING,
  breakers: true,
  unkind: true,
  often: [...REFUSING.often, 'close a market to deposits'],
  never: [...REFUSING.never, 'lend out a market', 'refuse withdrawals', 'reject what a circuit breaker withdraws'],
} as const

/** Circuit breakers ask for withdrawals, and people reject them. */
const KEPT = {
  ...REFUSING,
  breakers: true,
  often: [...AGENTS.often, 'reject what a circuit breaker withdraws'],
  never: [
    ...REFUSING.never,
    'agents refuse a market',
    'set circuit breakers',
    'change a buffer',
    'change the approval policy',
  ],
} as const

/** Broken rules of moves that agents refuse, and of withdrawals that people reject. */
export const BROKEN_REFUSALS: readonly BrokenRule[] = [
  {
    rule: 10,
    name: 'a strategy whose move an agent refused is asked again at once',
    seed: 18,
    emphasis: REFUSING,
    finds: /asks strategy \d+ again \d+ ms after an agent refused/,
    sabotage: {
      statement: replaced(
        'and o.completed_at is not null\n      order by o.id desc',
        `and o.completed_at is not null and o.failure_reason is distinct from 'SUBMISSION'
      order by o.id desc`,
      ),
    },
  },
  {
    rule: 10,
    name: 'a strategy whose moves agents refuse holds up all others',
    seed: 2,
    steps: 45,
    emphasis: REFUSING,
    finds: /the buffer is not restored|funds are idle/,
    sabotage: {
      // Its refusal counts as the wallet's own failure.
      statement: replaced(
        "'failure_reason', m.failure_reason,",
        "'failure_reason', nullif(m.failure_reason, 'SUBMISSION'),",
      ),
    },
  },
  {
    rule: 10,
    name: 'a withdrawal for a circuit breaker that agents refuse holds up those from other strategies',
    seed: 20,
    emphasis: SPREAD,
    finds: /does not withdraw everything: breaker/,
    sabotage: {
      statement: replaced(
        "'failure_reason', m.failure_reason,",
        "'failure_reason', case when m.purpose <> 'evacuation' then m.failure_reason end,",
      ),
    },
  },
  {
    rule: 10,
    name: 'a withdrawal for a circuit breaker that a person rejected is asked for again',
    seed: 2,
    emphasis: KEPT,
    finds: /what a person kept/,
    sabotage: {
      statement: replaced(') looked\n', ") looked where looked.state <> 'REJECTED'\n"),
    },
  },
]
