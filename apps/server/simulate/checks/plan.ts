import { decodeFunctionData, type Hex, maxUint256 } from 'viem'
import { evmCall } from '../../src/chains/index.ts'
import { type IssuedTransaction, isIssued, type Operation } from '../../src/operations/index.ts'
import type { WalletClient } from '../clients/wallet-client.ts'
import type { EvmRun } from '../evm-run.ts'
import { Violation } from '../violation.ts'
import { abi } from '../world/contracts.ts'
import { isSlow } from '../world/exits.ts'
import { type Market, USDT } from '../world/market.ts'
import { fromUnsigned } from '../world/raw.ts'
import { wrongExitCall } from './exit-plan.ts'

/** The lowest nonce that a plan may take according to the database (rule 3): nonces held and nonces seen. */
export async function nonceBefore(run: EvmRun, address: string): Promise<number> {
  const { rows } = await run.database.reader.query<{ nonce: number; mined: boolean; held: boolean; hashes: string[] }>(
    `select t.nonce, t.block_number is not null as mined, exists (select 1 from transaction_hashes h where h.transaction_id = t.id and h.raw is not null) as held,
        array(select tx_hash from transaction_hashes h where h.transaction_id = t.id and t.last_seen_at is not null) as hashes
      from transactions t where t.sender = $1 and t.state = 'pending' and t.nonce is not null`,
    [address],
  )
  // A hash that was only reported does not count until a node has shown it. A hash reported for another transaction
  // stays with that one until a block shows whose it is.
  const counted = rows.filter(
    ({ mined, held, hashes }) => mined || held || hashes.some((hash) => run.world.known.has(hash)),
  )
  return Math.max(run.nonces.get(address) ?? 0, ...counted.map(({ nonce }) => nonce + 1))
}

/** A plan and what was requested. */
export interface PlanExpectation {
  readonly operation: Operation
  readonly market: Market
  /** Undefined: the whole position. */
  readonly amount: bigint | undefined
  /** Undefined: not predictable. */
  readonly nonce: number | undefined
}

/**
 * The checks of an independent client before it signs (rule 3, 9 and 10): the bytes do what was requested and nothing
 * else, approvals are exact, and nonces continue the known ones without a gap.
 */
export function expectHonestPlan(
  run: EvmRun,
  holder: WalletClient,
  { operation, market, amount, nonce }: PlanExpectation,
): void {
  const wrong = (what: string) => {
    throw new Violation(`the plan of operation ${operation.operationId} ${what}`)
  }
  const calls = operation.transactions.filter(isIssued).map(({ call, unsignedBytes, nonce: own }, position) => {
    const bytes = fromUnsigned(unsignedBytes)
    const { to, data, value } = evmCall(call)
    if (bytes.to !== to || bytes.data !== data || bytes.value !== value || bytes.nonce !== own || value !== 0n) {
      wrong('is stored differently from what was issued')
    }
    if (own !== operation.transactions[0]!.nonce! + position) wrong('has nonces that are not consecutive')
    return { to, ...decodeFunctionData({ abi, data: data as Hex }) }
  })
  const last = calls.at(-1)!
  const { address } = holder
  if (last.to !== market.contract) wrong(`goes to ${last.to}`)

  if (operation.type === 'SUPPLY') {
    const expected: readonly unknown[] =
      market.protocol === 'aave-v3' ? [market.token, amount, address, 0] : [amount, address]
    if (!same(last.args, expected)) wrong(`supplies ${String(last.args)} where ${String(expected)} was requested`)
    const approvals = calls.slice(0, -1)
    for (const { to, functionName, args } of approvals) {
      if (to !== market.token || functionName !== 'approve' || args[0] !== market.contract)
        wrong('does something that nobody requested')
    }
    const amounts = approvals.map(({ args }) => args[1])
    const isReset = market.token === USDT.address && amounts.length === 2
    // If no node lags, the current allowance is the one that the plan read (rule 9).
    const stands = run.world.latest.state.allowance(market.token, address, market.contract)
    const needed = stands === amount ? 0 : market.token === USDT.address && stands > 0n ? 2 : 1
    if (nonce !== undefined && run.readsAreExact && amounts.length !== needed)
      wrong(`approves ${amounts.join(', ')} where ${stands} stands`)
    if (amounts.length > 0 && !same(amounts, isReset ? [0n, amount] : [amount]))
      wrong(`approves ${amounts.join(', ')} for ${amount}`)
  } else {
    if (calls.length !== 1) wrong('has more than one transaction')
    const [first, second] = last.args as readonly unknown[]
    const { kind, call } = operation.transactions[0]!
    if (isSlow(market)) {
      const reason = wrongExitCall(market, { kind, owner: address, amount, data: evmCall(call).data })
      if (reason !== undefined) wrong(reason)
    } else if (amount !== undefined && first !== amount && second !== amount) wrong(`withdraws ${String(last.args)}`)
    else if (amount === undefined && last.functionName === 'withdraw' && second !== maxUint256)
      wrong('leaves shares behind')
  }

  if (nonce === undefined) return
  const counts = run.nodeCounts.get(address)!
  const first = operation.transactions[0]!.nonce!
  const next = Math.max(nonce, counts.pending, counts.latest)
  // Concurrent plans may have seen more than this one, and final blocks show which nonces are finally used.
  const used = run.world.final.state.nonce(address)
  if (first < next || first > Math.max(next, counts.highest, used))
    wrong(`begins with nonce ${first}, but ${next} is next`)
  if (!run.isReorganized) run.nonces.set(address, Math.max(run.nonces.get(address) ?? 0, counts.latest))
}

/** New bytes never have another effect than those issued before (contract 6). */
export function expectSameEffect(holder: WalletClient, waiting: readonly IssuedTransaction[]): void {
  for (const { transactionId, call, unsignedBytes } of waiting) {
    const before = holder.issued.find(({ transaction }) => transaction.transactionId === transactionId)
    const { to, data } = fromUnsigned(unsignedBytes)
    const { to: then, data: thenData } = evmCall(before?.transaction.call ?? call)
    if (to !== then || data !== thenData)
      throw new Violation(`the new bytes of transaction ${transactionId} have another effect`)
  }
}

const same = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])
