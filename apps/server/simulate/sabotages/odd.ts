import { CallUnfinishedError, type EvmChain } from '../../src/chains/index.ts'
import { Failure } from '../../src/kernel/index.ts'
import { GOOD_NODES } from '../service/node.ts'
import { inStatementsWith, replaced } from '../service/rewrite.ts'
import type { BrokenRule } from './broken-rule.ts'
import { AGENTS } from './treasury.ts'

const ACTIONS = [
  'bound single withdrawals',
  'keep a part of withdrawals',
  'let nodes give up on a market',
  'give a wallet a crumb of a position',
] as const

/** One of these happens often while buffers change, and the others never. */
const only = (name: (typeof ACTIONS)[number]) => ({
  ...AGENTS,
  odd: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'change a buffer', name],
  never: [...AGENTS.never, 'change a market and gas', ...ACTIONS.filter((other) => other !== name)],
})

const CRUMBS = only('give a wallet a crumb of a position')

/** The chain counts as away once a node gave up on a call, until it is followed again. */
function restingOnceUnfinished(real: EvmChain): Partial<EvmChain> {
  let isResting = false
  return {
    isResting: () => isResting || real.isResting(),
    async heads() {
      isResting = false
      return real.heads()
    },
    async simulate(from, calls) {
      try {
        return await real.simulate(from, calls)
      } catch (error) {
        if (!(error instanceof CallUnfinishedError)) throw error
        isResting = true
        throw new Failure('CHAIN_UNAVAILABLE')
      }
    },
  }
}

/** Broken rules of markets that say less than they do, and of what is too little to matter. */
export const BROKEN_ODD: readonly BrokenRule[] = [
  {
    rule: 10,
    name: 'what is too little for a transaction is withdrawn',
    seed: 11,
    emphasis: {
      ...CRUMBS,
      breakers: true,
      often: [...CRUMBS.often, 'set circuit breakers', 'move USDC off its peg', 'evaluate circuit breakers'],
    },
    finds: /withdraws \d+, which is not worth its gas/,
    sabotage: { rebalancing: (settings) => ({ ...settings, dust: { digits: 1n, scale: 6 } }) },
  },
  {
    rule: 10,
    name: 'a withdrawal that would pay less than it takes is planned',
    seed: 1,
    emphasis: only('keep a part of withdrawals'),
    finds: /withdraws from a vault that keeps/,
    sabotage: {
      chain: (real) => ({
        ...real,
        async simulate(from, calls) {
          const simulated = await real.simulate(from, calls)
          return simulated.ok ? { ok: true, gas: simulated.gas } : simulated
        },
      }),
    },
  },
  {
    rule: 10,
    name: 'an amount that was refused is asked for again',
    seed: 9,
    steps: 45,
    emphasis: only('bound single withdrawals'),
    finds: /the buffer is not restored/,
    sabotage: {
      statement: inStatementsWith(
        ['refused_moves f'],
        replaced("'amount', f.amount::text", "'amount', null"),
        replaced("'amount', m.planned_value::text", "'amount', null"),
      ),
    },
  },
  {
    rule: 12,
    name: 'a call that no node finishes holds up the chain',
    seed: 11,
    steps: 45,
    emphasis: only('let nodes give up on a market'),
    finds: /the buffer is not restored|funds are idle|left is not revoked/,
    sabotage: { chain: (real) => ({ ...real, ...restingOnceUnfinished(real) }) },
  },
]
