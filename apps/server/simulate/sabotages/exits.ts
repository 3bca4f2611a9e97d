import { encodeEventTopics, parseAbi } from 'viem'
import type { ChainLog, EvmIncludedTransaction } from '../../src/chains/index.ts'
import { GOOD_NODES } from '../service/node.ts'
import { replaced } from '../service/rewrite.ts'
import { exitAt, isSlow } from '../world/exits.ts'
import { seconds, type World } from '../world/world.ts'
import type { BrokenRule } from './broken-rule.ts'
import { AGENTS } from './treasury.ts'

/** Money is requested back and claimed often, by clients and by the rebalancer. */
const SLOW = {
  ...AGENTS,
  exits: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'change a buffer', 'let exits mature'],
  never: [...AGENTS.never, 'change a market and gas', 'change the approval policy', 'change the allow-list'],
} as const

const [WITHDRAW] = encodeEventTopics({
  abi: parseAbi([
    'event Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
  ]),
})

/** The events of claims, reported twice. */
function claimedTwice(world: World, transaction: EvmIncludedTransaction): EvmIncludedTransaction {
  const paidBy = new Map(world.markets.filter(isSlow).map(({ contract, exit }) => [contract, exit.escrow]))
  const escrow = paidBy.get(transaction.to ?? '')
  if (escrow === undefined) return transaction
  const isFromEscrow = ({ topics }: ChainLog) =>
    topics.length === 3 && topics[1]!.endsWith(escrow.slice(2).toLowerCase())
  const isClaim = transaction.logs.some(isFromEscrow)
  const isPaid = (log: ChainLog) => isFromEscrow(log) || log.topics[0] === WITHDRAW
  return isClaim ? { ...transaction, logs: [...transaction.logs, ...transaction.logs.filter(isPaid)] } : transaction
}

/** Broken rules of withdrawals that take time. */
export const BROKEN_EXITS: readonly BrokenRule[] = [
  {
    rule: 7,
    name: 'a claim is posted twice',
    seed: 4,
    steps: 70,
    emphasis: SLOW,
    finds: /was paid .* on chain and counts .* as claimed/,
    sabotage: {
      chain: (real, world) => ({
        ...real,
        async block(number) {
          const block = await real.block(number)
          return block && { ...block, transactions: block.transactions.map((one) => claimedTwice(world, one)) }
        },
      }),
    },
  },
  {
    rule: 7,
    name: 'a pending exit counts as available',
    seed: 19,
    steps: 70,
    emphasis: SLOW,
    finds: /is 0 and .*, and on chain .* and 0 in block/,
    sabotage: {
      chain: (real) => ({
        ...real,
        async multicall(calls, at) {
          const results = await real.multicall(calls, at)
          // Every cooldown ended long ago.
          return results.map((result, index) =>
            calls[index]!.functionName === 'cooldowns' && Array.isArray(result) ? [1n, result[1]] : result,
          )
        },
      }),
    },
  },
  {
    rule: 8,
    name: 'what is pending is added to the balance',
    seed: 2,
    steps: 70,
    emphasis: SLOW,
    finds: /wallet \d+ has \d+ of .* in the ledger and \d+ on chain/,
    sabotage: {
      chain: (real, world) => ({
        ...real,
        async balances(queries, at, atLeast) {
          const held = await real.balances(queries, at, atLeast)
          const { state, time } = at === undefined ? world.latest : (world.blocks[at] ?? world.latest)
          const pendingOf = ({ owner, token }: (typeof queries)[number]) =>
            world.markets
              .filter((market) => isSlow(market) && market.token === token)
              .reduce((sum, market) => sum + exitAt(state, market, owner, seconds(time)).pending, 0n)
          return held.map((amount, index) => amount + pendingOf(queries[index]!))
        },
      }),
    },
  },
  {
    rule: 10,
    name: 'what can be claimed is left where it is',
    seed: 40,
    steps: 40,
    emphasis: SLOW,
    finds: /exit \d+ of \d+ is not claimed/,
    sabotage: {
      chain: (real) => ({
        ...real,
        async multicall(calls, at) {
          const results = await real.multicall(calls, at)
          if (at !== undefined) return results
          // Nothing is settled, and no cooldown ever ends.
          return results.map((result, index) => {
            const { functionName } = calls[index]!
            if (functionName === 'maxWithdraw') return 0n
            return functionName === 'cooldowns' && Array.isArray(result) ? [2n ** 40n, result[1]] : result
          })
        },
      }),
    },
  },
  {
    rule: 10,
    name: 'a refill waits for people who decide about a claim',
    seed: 3,
    steps: 40,
    emphasis: SLOW,
    finds: /lacks \d+ while people decide about a claim/,
    sabotage: { statement: replaced('busy.purpose as busy_purpose', 'null::text as busy_purpose') },
  },
  {
    rule: 10,
    name: 'money on its way is requested again',
    seed: 5,
    steps: 70,
    emphasis: SLOW,
    finds: /is on its way|starts a cooldown/,
    sabotage: {
      statement: replaced(
        'join "exits" on "exits"."organization_id" = "operational_wallets"."organization_id"',
        'join "exits" on false and "exits"."organization_id" = "operational_wallets"."organization_id"',
      ),
      chain: (real) => ({
        ...real,
        async multicall(calls, at) {
          const results = await real.multicall(calls, at)
          if (at !== undefined) return results
          const hidden: Record<string, unknown> = { cooldowns: [0n, 0n], pendingRedeemRequest: 0n }
          return results.map((result, index) => hidden[calls[index]!.functionName] ?? result)
        },
      }),
    },
  },
]
