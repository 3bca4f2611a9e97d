import type { Block, SvmChain } from '../../src/chains/index.ts'
import { GOOD_NODES } from '../service/node.ts'
import { replaced } from '../service/rewrite.ts'
import type { Sabotage } from '../service/service.ts'
import type { BrokenRule } from './broken-rule.ts'
import { BROKEN_VAULTS } from './solana-vaults.ts'
import { AGENTS } from './treasury.ts'

const ON_SOLANA = { chain: 'solana' } as const
/** Makes clients hold their bytes for long and send them themselves. */
const BYTES = {
  ...ON_SOLANA,
  often: ['broadcast without the service', 'request the bytes again', 'let bytes expire', 'delay a transaction'],
}

const svm = (over: (chain: SvmChain) => Partial<SvmChain>): Sabotage => ({
  svm: (real) => ({ ...real, ...over(real) }),
})

/** Removes failed transactions from a block. They moved nothing, so no balance reveals them either. */
const withoutFailed = (block: Block): Block => ({
  ...block,
  transactions: block.transactions.filter(({ succeeded }) => succeeded),
})

/**
 * A follower by wallets that never sees failed transactions. Only the lookup of an address's transactions, after bytes
 * have died, finds them.
 */
export const BLIND_FOLLOWER: Sabotage = svm(({ walletActivity }) =>
  walletActivity
    ? {
        walletActivity: {
          ...walletActivity,
          pendingBlocks: async (...asked) => (await walletActivity.pendingBlocks(...asked)).map(withoutFailed),
          finalizedBlocks: async (...asked) => {
            const found = await walletActivity.finalizedBlocks(...asked)
            return { ...found, blocks: found.blocks.map(withoutFailed) }
          },
        },
      }
    : {},
)

/** Money rules on Solana, deliberately broken. */
export const BROKEN_ON_SOLANA: readonly BrokenRule[] = [
  {
    rule: 1,
    name: 'bytes count as dead before the last block that could take them is final',
    seed: 19,
    emphasis: BYTES,
    finds: /can land up to height|took effect twice|never knew/,
    sabotage: svm((real) => ({
      async header(slot) {
        const found = await real.header(slot)
        return found && { ...found, height: found.height + 1_000 }
      },
    })),
  },
  {
    rule: 1,
    name: 'dead bytes are never looked up after they died',
    seed: 9,
    emphasis: { ...BYTES, often: [...BYTES.often, 'change vaults and fees'] },
    finds: /never knew|landed in slot/,
    sabotage: {
      svm: (real) => ({ ...BLIND_FOLLOWER.svm!(real), findLanded: async () => ({ hashes: [] }) }),
    },
  },
  {
    rule: 2,
    name: 'ended operations on Solana are no longer watched',
    seed: 4,
    emphasis: BYTES,
    finds: /never knew/,
    sabotage: {
      async afterStep(pool) {
        await pool.query(`update transactions t set can_still_land = false from operations o where o.id = t.operation_id
          and o.state in ('FAILED', 'ABORTED') and t.finalized_at is null`)
      },
    },
  },
  {
    rule: 7,
    name: 'balances of a past slot are read at the present one',
    seed: 11,
    emphasis: ON_SOLANA,
    finds: /in the ledger/,
    sabotage: svm((real) => ({ balances: (asked) => real.balances(asked) })),
  },
  {
    rule: 7,
    name: 'a wallet with too many transactions to read is not compared either',
    seed: 8,
    emphasis: {
      ...ON_SOLANA,
      spam: true,
      faults: GOOD_NODES,
      often: ['mention a wallet endlessly, or stop', 'receive tokens', 'send tokens away'],
    },
    finds: /in the ledger/,
    sabotage: { statement: replaced(/(set "reconciled_block" = \$\d+ where .*"address" = any\(.*\))/, '$1 and false') },
  },
  {
    rule: 6,
    name: 'what was posted as external before it was found is posted a second time until the next comparison',
    seed: 1,
    steps: 200,
    emphasis: {
      ...ON_SOLANA,
      spam: true,
      faults: GOOD_NODES,
      often: [
        'mention a wallet endlessly, or stop',
        'plan a supply',
        'broadcast without the service',
        'advance the chain’s time',
        'follow the chain',
      ],
      never: ['transfer shares away', 'deposit outside Weir', 'redeem outside Weir'],
    },
    finds: /earned/,
    sabotage: { statement: replaced("e.kind = 'external_position'", 'false') },
  },
  {
    rule: 7,
    name: 'what a node has forgotten counts as never having happened',
    seed: 1,
    emphasis: {
      ...ON_SOLANA,
      faults: { retainedBlocks: 40, refuse: 0 },
      often: ['let bytes expire', 'broadcast without the service', 'plan a supply', 'change vaults and fees'],
      never: ['restart the service'],
    },
    finds: /in the ledger|never knew/,
    sabotage: { rpc: (method, result) => (method === 'getFirstAvailableBlock' ? 0 : result) },
  },
  {
    rule: 11,
    name: 'plans carry the memo of another transaction',
    seed: 12,
    emphasis: ON_SOLANA,
    finds: /carries the memo/,
    sabotage: svm((real) => ({ encode: (plan) => real.encode({ ...plan, transactionId: 1_000_000 }) })),
  },
  {
    rule: 1,
    name: 'on Solana an expired lease is followed by new bytes',
    seed: 7,
    emphasis: { ...AGENTS, ...ON_SOLANA, often: [...AGENTS.often, 'an agent stalls', 'an agent dies'] },
    finds: /has new bytes, and its earlier ones|took effect twice/,
    sabotage: {
      async afterStep(pool) {
        await pool.query(`update transactions t set can_still_land = false from agent_work w
          where w.transaction_id = t.id and t.state = 'unsigned' and t.can_still_land and w.stage in ('leased', 'paused')`)
      },
    },
  },
  {
    rule: 2,
    name: 'agents on Solana get bytes while those of an ended operation can land',
    seed: 16,
    emphasis: { ...AGENTS, ...ON_SOLANA, often: [...AGENTS.often, 'sweep agent work'] },
    finds: /is issued while operation/,
    sabotage: {
      async afterStep(pool) {
        await pool.query(`update transactions t set can_still_land = false from operations o
          where o.id = t.operation_id and o.executor = 'agent' and o.state in ('FAILED', 'ABORTED')
            and t.finalized_at is null and t.can_still_land`)
      },
    },
  },
  ...BROKEN_VAULTS,
]
