import { CompiledQuery } from 'kysely'
import { maxUint256 } from 'viem'
import { type EvmChain, type EvmIncludedTransaction, evmCall, type TransactionRequest } from '../../src/chains/index.ts'
import { GOOD_NODES } from '../service/node.ts'
import { changed, replaced, withoutEvent } from '../service/rewrite.ts'
import type { Sabotage } from '../service/service.ts'
import type { World } from '../world/world.ts'
import type { BrokenRule } from './broken-rule.ts'
import { AGENTS, RESERVE_FROZEN } from './treasury.ts'

/** Vaults lose money while agents and the rebalancer work. */
const LOSING = {
  ...AGENTS,
  exits: true,
  losses: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'advance the chain’s time'],
  never: [...AGENTS.never, 'change a market and gas'],
} as const

/** Markets have caps while buffers change. */
const CAPPED = {
  ...AGENTS,
  unkind: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'change a buffer', 'close a market to deposits'],
} as const

/** The bits of a reserve's configuration that hold its supply cap. */
const SUPPLY_CAP = (2n ** 36n - 1n) << 116n

/** What a market reports without its cap. */
function withoutCap(functionName: string, result: unknown): unknown {
  if (functionName === 'maxDeposit') return result === 0n ? result : maxUint256
  if (functionName !== 'getReserveData') return result
  const data = result as { readonly configuration: bigint }
  return { ...data, configuration: data.configuration & ~SUPPLY_CAP }
}

/** What a market reports as if it accepted deposits. */
function withoutFreeze(functionName: string, result: unknown): unknown {
  if (functionName === 'maxDeposit') return result === 0n ? maxUint256 : result
  if (functionName !== 'getReserveData') return result
  const data = result as { readonly configuration: bigint }
  return { ...data, configuration: data.configuration & ~RESERVE_FROZEN }
}

/** A vault keeps a part of each deposit. */
const CHARGING = {
  ...AGENTS,
  fees: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'change a buffer'],
} as const

/** A vault reports no limit, lends out what it has, and takes deposits up to a cap. */
const SILENT = {
  ...AGENTS,
  silent: true,
  unkind: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'change a buffer', 'lend out a market', 'close a market to deposits'],
  never: [...AGENTS.never, 'change a market and gas'],
} as const

/** A simulation that reports no refusal. */
const withoutRefusals =
  (real: EvmChain): EvmChain['simulate'] =>
  async (from, calls) => {
    const simulated = await real.simulate(from, calls)
    return simulated.ok ? simulated : { ok: true, gas: calls.map(() => 300_000n) }
  }

/** Where a withdrawal's bytes have its amount: Aave's follows the token, a vault's amount or shares come first. */
function amountAt(data: string): number | undefined {
  if (data.startsWith('0x69328dec')) return 74
  return data.startsWith('0xb460af94') || data.startsWith('0xba087652') ? 10 : undefined
}

/** Bytes of withdrawals, of nothing. */
function withdrawsNothing(plan: TransactionRequest): TransactionRequest {
  const { data, ...rest } = evmCall(plan.call)
  const at = amountAt(data)
  if (at === undefined) return plan
  return { ...plan, call: { ...rest, data: `${data.slice(0, at)}${'0'.repeat(64)}${data.slice(at + 64)}` } }
}

/** Fees rise, and what agents sent before is left behind. */
const DEAR = {
  ...AGENTS,
  stuck: true,
  faults: GOOD_NODES,
  often: [...AGENTS.often, 'price out an agent’s transaction', 'sweep agent work', 'change a buffer'],
  never: [...AGENTS.never, 'change a market and gas'],
} as const

interface Entry {
  readonly kind: string
  readonly source: string
}

/** Changes new ledger entries with their lines, and drops the lines of those that are left out. */
const entries = (change: (entry: Entry) => Entry | undefined) =>
  changed('insert into ledger_entries', (query) => {
    const [lines, heads] = query.parameters.map((one) => JSON.parse(String(one)) as Entry[])
    const kept = heads!.flatMap((entry) => change(entry) ?? [])
    const sources = new Map(heads!.map((entry) => [entry.source, change(entry)?.source]))
    const keptLines = lines!.flatMap((line) => {
      const source = sources.get(line.source)
      return source === undefined ? [] : { ...line, source }
    })
    return CompiledQuery.raw(query.sql, [JSON.stringify(keptLines), JSON.stringify(kept)])
  })

/** A loss or a fee as an entry of yield, whose source names its allocation. */
function asYield(entry: Entry): Entry {
  if (entry.kind !== 'loss' && entry.kind !== 'fee') return entry
  const [, account, allocationId, ...cause] = entry.source.split(':')
  return { ...entry, kind: 'yield', source: ['yield', allocationId, account, ...cause].join(':') }
}

/** By transaction, in each world: the nonce of its last bytes. */
const lastNonces = new WeakMap<World, Map<number, number>>()

/** Changes the bytes that replace others. */
const replacements = (change: (plan: TransactionRequest) => TransactionRequest): Sabotage => ({
  chain: (real, world) => ({
    ...real,
    encode(plan) {
      const known = lastNonces.get(world) ?? new Map<number, number>()
      lastNonces.set(world, known)
      const { transactionId, nonce } = plan
      const isReplacement = nonce !== null && known.get(transactionId) === nonce
      if (nonce !== null) known.set(transactionId, nonce)
      return real.encode(isReplacement ? change(plan) : plan)
    },
  }),
})

function toAnotherAmount({ call, ...plan }: TransactionRequest): TransactionRequest {
  const { data, ...rest } = evmCall(call)
  return { ...plan, call: { ...rest, data: `${data.slice(0, -1)}${data.endsWith('1') ? '2' : '1'}` } }
}

/** Broken rules of markets that refuse and lose, and of fees that leave transactions behind. */
export const BROKEN_MARKETS: readonly BrokenRule[] = [
  {
    rule: 10,
    name: 'a strategy that refused is not left out',
    seed: 13,
    emphasis: {
      ...AGENTS,
      unkind: true,
      faults: GOOD_NODES,
      often: [...AGENTS.often, 'change a buffer', 'refuse withdrawals'],
    },
    finds: /is asked again after 0 ms/,
    sabotage: {
      // Its pause ends at once.
      statement: changed('insert into "refused_moves"', (query) => {
        const dates = query.parameters.filter((one) => one instanceof Date).map((date) => date.getTime())
        const refusedAt = new Date(Math.min(...dates))
        return CompiledQuery.raw(
          query.sql,
          query.parameters.map((one) => (one instanceof Date ? refusedAt : one)),
        )
      }),
    },
  },
  {
    rule: 10,
    name: 'the deposit cap of a strategy is not read',
    seed: 16,
    emphasis: CAPPED,
    finds: /whose cap leaves/,
    sabotage: {
      chain: (real) => ({
        ...real,
        async multicall(calls, at) {
          const results = await real.multicall(calls, at)
          return results.map((result, index) => withoutCap(calls[index]!.functionName, result))
        },
        simulate: withoutRefusals(real),
      }),
    },
  },
  {
    rule: 10,
    name: 'a strategy that accepts no deposits is not left out',
    seed: 8,
    emphasis: CAPPED,
    finds: /which accepts no deposits/,
    sabotage: {
      chain: (real) => ({
        ...real,
        async multicall(calls, at) {
          const results = await real.multicall(calls, at)
          return results.map((result, index) => withoutFreeze(calls[index]!.functionName, result))
        },
        simulate: withoutRefusals(real),
      }),
    },
  },
  {
    rule: 10,
    name: 'what a vault pays that reports no limit is not found',
    seed: 4,
    emphasis: SILENT,
    finds: /the buffer is not restored/,
    sabotage: { chain: (real) => ({ ...real, callSucceeds: async () => false }) },
  },
  {
    rule: 10,
    name: 'what a vault takes that reports no limit is not found',
    seed: 13,
    emphasis: SILENT,
    finds: /into erc4626\S+, whose cap leaves/,
    sabotage: {
      chain: (real) => ({ ...real, simulateFunded: async () => undefined, simulate: withoutRefusals(real) }),
    },
  },
  {
    rule: 6,
    name: 'what a position earned is not posted',
    seed: 8,
    finds: /deployed|earned/,
    sabotage: { statement: entries((entry) => (entry.kind === 'yield' ? undefined : entry)) },
  },
  {
    rule: 6,
    name: 'a loss counts as negative yield',
    seed: 5,
    steps: 20,
    emphasis: LOSING,
    finds: /takes \d+ from what was earned, and is no loss/,
    sabotage: { statement: entries(asYield) },
  },
  {
    rule: 6,
    name: 'a loss is not posted',
    seed: 5,
    steps: 20,
    emphasis: LOSING,
    finds: /deployed|earned/,
    sabotage: { statement: entries((entry) => (entry.kind === 'loss' ? undefined : entry)) },
  },
  {
    rule: 6,
    name: 'a loss has no event',
    seed: 5,
    steps: 20,
    emphasis: LOSING,
    finds: /were posted, and events report 0/,
    sabotage: {
      statement: withoutEvent('allocation.loss_booked'),
    },
  },
  {
    rule: 6,
    name: 'a fee counts as negative yield',
    seed: 6,
    emphasis: CHARGING,
    finds: /takes \d+ from what was earned, and is no loss/,
    sabotage: { statement: entries(asYield) },
  },
  {
    rule: 6,
    name: 'a fee is not posted',
    seed: 6,
    emphasis: CHARGING,
    finds: /deployed|earned/,
    sabotage: { statement: entries((entry) => (entry.kind === 'fee' ? undefined : entry)) },
  },
  {
    rule: 6,
    name: 'a fee has no event',
    seed: 6,
    emphasis: CHARGING,
    finds: /fees of \d+ were posted, and events report 0/,
    sabotage: { statement: withoutEvent('allocation.fee_booked') },
  },
  {
    rule: 10,
    name: 'a planned withdrawal withdraws nothing',
    seed: 11,
    emphasis: CHARGING,
    finds: /does (withdraw|redeem) .* was approved/,
    sabotage: { chain: (real) => ({ ...real, encode: (plan) => real.encode(withdrawsNothing(plan)) }) },
  },
  {
    rule: 7,
    name: 'a withdrawal that moved nothing is completed with an amount',
    seed: 11,
    emphasis: {
      ...AGENTS,
      unkind: true,
      faults: GOOD_NODES,
      often: [...AGENTS.often, 'change a buffer', 'refuse withdrawals', 'request a withdrawal'],
    },
    finds: /UNWIND \d+ is completed with \d+, and moved 0/,
    sabotage: {
      // One that reverted counts as carried out as planned.
      chain: (real) => ({
        ...real,
        simulate: withoutRefusals(real),
        async block(number) {
          const block = await real.block(number)
          const done = { succeeded: true, failureCode: undefined }
          const withDone = (one: EvmIncludedTransaction) =>
            amountAt(one.data) === undefined ? one : { ...one, ...done }
          return block && { ...block, transactions: block.transactions.map(withDone) }
        },
      }),
      statement: replaced(
        'settled_amount = coalesce(s.settled_amount, o.settled_amount)',
        'settled_amount = coalesce(s.settled_amount, o.settled_amount, o.planned_value)',
      ),
    },
  },
  {
    rule: 10,
    name: 'a stuck transaction is not offered again',
    seed: 10,
    steps: 40,
    emphasis: DEAR,
    finds: /is stuck, and no agent replaced it/,
    sabotage: { statement: replaced("where w.stage = 'sent' and", "where false and w.stage = 'sent' and") },
  },
  {
    rule: 1,
    name: 'a stuck transaction is offered with another nonce',
    seed: 17,
    steps: 70,
    emphasis: DEAR,
    finds: /has nonce \d+, and with nonce \d+ it can still land/,
    sabotage: replacements((plan) => ({ ...plan, nonce: plan.nonce! + 1 })),
  },
  {
    rule: 1,
    name: 'a stuck transaction is offered with another effect',
    seed: 17,
    steps: 70,
    emphasis: DEAR,
    finds: /has another effect than with its earlier fees/,
    sabotage: replacements(toAnotherAmount),
  },
]
