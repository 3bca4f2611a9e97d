import { CompiledQuery } from 'kysely'
import { decodeFunctionData, encodeFunctionData, type Hex, maxUint256 } from 'viem'
import { type ChainLog, type EvmChain, type EvmIncludedTransaction, evmCall } from '../../src/chains/index.ts'
import { Failure } from '../../src/kernel/index.ts'
import { GOOD_NODES } from '../service/node.ts'
import { changed, type Rewrite } from '../service/rewrite.ts'
import type { Sabotage } from '../service/service.ts'
import { abi } from '../world/contracts.ts'
import type { BrokenRule } from './broken-rule.ts'

const chain = (over: (chain: EvmChain) => Partial<EvmChain>): Sabotage => ({
  chain: (real) => ({ ...real, ...over(real) }),
})
const statement = (text: string): Sabotage => ({
  async afterStep(pool) {
    await pool.query(text)
  },
})

/** Changes an approval to allow more than was requested. */
function unlimitedApproval(data: string): string {
  if (!data.startsWith('0x095ea7b3')) return data
  const { args } = decodeFunctionData({ abi, data: data as Hex })
  const [spender, amount] = args as readonly [Hex, bigint]
  return amount === 0n ? data : encodeFunctionData({ abi, functionName: 'approve', args: [spender, maxUint256] })
}

/** Reports a withdrawal from a market at an earlier value. */
function withPlannedAmounts(transaction: EvmIncludedTransaction): EvmIncludedTransaction {
  const [, ...rest] = transaction.logs
  if (!transaction.succeeded || rest.length === 0) return transaction
  const isExit = transaction.data.startsWith('0x69328dec') || transaction.data.startsWith('0xba087652')
  if (!isExit) return transaction
  const less = (log: ChainLog): ChainLog => {
    const first = BigInt(log.data.slice(0, 66))
    return { ...log, data: `0x${(first - first / 500n).toString(16).padStart(64, '0')}${log.data.slice(66)}` }
  }
  // Changes the token's transfer and the vault's Withdraw; keeps shares and interest.
  const isOfAssets = ({ topics }: ChainLog, index: number) =>
    (topics.length === 3 && index === transaction.logs.length - 1) || topics.length === 4 || index === 1
  return { ...transaction, logs: transaction.logs.map((log, index) => (isOfAssets(log, index) ? less(log) : log)) }
}

/** Changes lines of ledger entries as they are written to the database. */
const ledgerLines = (change: (line: Line) => Line): Rewrite =>
  changed('insert into ledger_entries', (query) => {
    const [first, ...others] = query.parameters
    if (typeof first !== 'string') return query
    const merged = new Map<string, Line>()
    for (const line of (JSON.parse(first) as Line[]).map(change)) {
      const key = [line.source, line.token_address, line.account].join(' ')
      const amount = BigInt(merged.get(key)?.amount ?? 0) + BigInt(line.amount)
      merged.set(key, { ...line, amount: amount.toString() })
    }
    const lines = [...merged.values()].filter(({ amount }) => amount !== '0')
    return CompiledQuery.raw(query.sql, [JSON.stringify(lines), ...others])
  })

/** Leaves out what a statement would write; it returns no rows. */
const unwritten = (text: string): Rewrite => changed(text, () => CompiledQuery.raw('select where false'))

interface Line {
  source: string
  account: string
  amount: string
  token_address: string
}

/** Rules of the ledger and of bytes that clients sign. */
export const BROKEN_RULES: readonly BrokenRule[] = [
  {
    rule: 1,
    name: 'bytes that can still land get a new nonce',
    seed: 2,
    finds: /took effect twice|never knew/,
    // Issued bytes count as dead immediately.
    sabotage: statement(`update transactions t set can_still_land = false from operations o where o.id = t.operation_id
      and t.state = 'unsigned' and t.can_still_land and o.state = 'EXECUTING'`),
  },
  {
    rule: 2,
    name: 'ended operations are no longer watched',
    seed: 4,
    finds: /never knew/,
    sabotage: statement(`update transactions t set can_still_land = false from operations o where o.id = t.operation_id
      and o.state in ('FAILED', 'ABORTED') and t.finalized_at is null`),
  },
  {
    rule: 3,
    name: 'a lagging node is trusted',
    seed: 19,
    emphasis: {
      faults: { lag: 0.25 },
      often: ['plan a supply', 'use a nonce for another transaction'],
      never: ['reorganize'],
    },
    finds: /begins with nonce/,
    sabotage: statement('update chain_nonces set latest_count = 0, final_count = 0'),
  },
  {
    rule: 3,
    name: 'the nonce of a merely reported hash is trusted',
    seed: 17,
    emphasis: {
      often: ['report a hash', 'plan a supply', 'register an address of another organization'],
    },
    finds: /begins with nonce/,
    sabotage: statement(
      `update transactions set last_seen_at = submitted_at where state = 'pending' and last_seen_at is null`,
    ),
  },
  {
    rule: 4,
    name: 'a timeout releases the reservation of a transaction in flight',
    seed: 12,
    finds: /reservation/,
    sabotage: statement(`update reservations r set released_at = r.created_at from transactions t
      where t.operation_id = r.operation_id and t.state = 'pending' and r.released_at is null`),
  },
  {
    rule: 5,
    name: 'bytes are sent before they are stored',
    seed: 12,
    finds: /store, then send/,
    sabotage: chain((real) => ({
      async checkSigned(text, plan) {
        const signed = await real.checkSigned(text, plan)
        await real.broadcast(signed.raw)
        return signed
      },
    })),
  },
  {
    rule: 6,
    name: 'external shares count as yield',
    seed: 6,
    finds: /earned/,
    sabotage: {
      statement: ledgerLines((line) =>
        line.source.startsWith('position:') && line.account === 'external' ? { ...line, account: 'yield' } : line,
      ),
    },
  },
  {
    rule: 7,
    name: 'a withdrawal is settled at its planned value',
    seed: 16,
    finds: /is completed with|earned|in the ledger/,
    sabotage: chain((real) => ({
      async block(number) {
        const block = await real.block(number)
        return block && { ...block, transactions: block.transactions.map(withPlannedAmounts) }
      },
    })),
  },
  {
    rule: 7,
    name: 'a block is skipped',
    seed: 4,
    finds: /in the ledger|never knew/,
    sabotage: chain((real) => ({
      async block(number) {
        const block = await real.block(number)
        return block && number % 7 === 0 ? { ...block, transactions: [] } : block
      },
    })),
  },
  {
    rule: 8,
    name: 'a difference is overwritten instead of posted',
    seed: 12,
    finds: /sums of their postings/,
    sabotage: {
      statement: ledgerLines((line) => line),
      async afterStep(pool) {
        await pool.query(
          'update ledger_balances set available = available + 1, external = external - 1 where deployed > 0',
        )
      },
    },
  },
  {
    rule: 8,
    name: 'external movements are not posted',
    seed: 1,
    finds: /in the ledger/,
    sabotage: {
      statement: ledgerLines((line) => (line.source.startsWith('balance:') ? { ...line, amount: '0' } : line)),
    },
  },
  {
    rule: 8,
    name: 'a shortfall opens no break',
    seed: 3,
    emphasis: { faults: GOOD_NODES, often: ['send tokens away', 'plan a supply'] },
    finds: /in the ledger/,
    sabotage: { statement: unwritten('insert into ledger_breaks') },
  },
  {
    rule: 8,
    name: 'a break stays open when ledger and chain agree again',
    seed: 5,
    emphasis: { faults: GOOD_NODES, often: ['send tokens away', 'plan a supply', 'receive tokens'] },
    finds: /in the ledger|available while a break is open/,
    sabotage: { statement: unwritten('update ledger_breaks') },
  },
  {
    rule: 9,
    name: 'approvals are unlimited',
    seed: 12,
    finds: /approves/,
    sabotage: chain((real) => ({
      encode(plan) {
        const call = evmCall(plan.call)
        return real.encode({ ...plan, call: { ...call, data: unlimitedApproval(call.data) } })
      },
    })),
  },
  {
    rule: 9,
    name: 'an existing allowance is ignored',
    seed: 13,
    emphasis: { faults: { ...GOOD_NODES }, often: ['leave an allowance in place'] },
    finds: /approves/,
    sabotage: chain((real) => ({
      async multicall(calls, at) {
        const answers = await real.multicall(calls, at)
        return answers.map((answer, index) => (calls[index]!.functionName === 'allowance' ? 0n : answer))
      },
      async simulate(from, calls) {
        const simulated = await real.simulate(from, calls)
        return simulated.ok ? simulated : { ok: true, gas: calls.map(() => 300_000n) }
      },
    })),
  },
  {
    rule: 10,
    name: 'issued bytes differ from the request',
    seed: 12,
    finds: /supplies|withdraws/,
    sabotage: chain((real) => ({
      encode(plan) {
        const call = evmCall(plan.call)
        if (!call.data.startsWith('0x6e553f65')) return real.encode(plan)
        const { args } = decodeFunctionData({ abi, data: call.data as Hex })
        const [assets, owner] = args as readonly [bigint, Hex]
        const data = encodeFunctionData({ abi, functionName: 'deposit', args: [assets + 1n, owner] })
        return real.encode({ ...plan, call: { ...call, data } })
      },
    })),
  },
  {
    rule: 12,
    name: 'a missing response counts as an empty wallet',
    seed: 14,
    emphasis: { treasury: true, faults: { refuse: 0.1 } },
    finds: /in the ledger/,
    sabotage: chain((real) => ({
      async balances(asked, at) {
        try {
          return await real.balances(asked, at)
        } catch (error) {
          if (!(error instanceof Failure)) throw error
          return asked.map(() => 0n)
        }
      },
    })),
  },
  {
    rule: 12,
    name: 'a lagging node counts as a chain that changed',
    seed: 12,
    emphasis: { faults: { lag: 0.3 } },
    finds: /never knew|in the ledger|follows a different block/,
    sabotage: chain((real) => ({
      async block(number) {
        const stranger = { number, hash: `0x${'0'.repeat(64)}`, parentHash: '', time: new Date(0), transactions: [] }
        return (await real.block(number)) ?? stranger
      },
    })),
  },
]
