import { expect } from 'vitest'
import type { Balance, Operation, Strategy, WalletDetail } from '../clients/api-types.ts'
import type { HttpClient } from '../clients/client.ts'
import type { System } from '../service/start-system.ts'

const USDC = 1_000_000n

/** Small, so that it is there in every state that pays at all. */
export const PAYMENT = 5n * USDC

interface Payment {
  readonly system: System
  readonly core: HttpClient
  readonly holder: {
    readonly walletId: number
    /** USDC in the wallet, as the chain says. */
    held(): Promise<bigint>
  }
  readonly strategy: Strategy
  /** Signs, submits and waits for confirmation. */
  carryOut(operation: Operation): Promise<Operation>
}

/**
 * Withdraws a part on v1 while the venue is in a state. What the operation settled is what the chain paid, to the last
 * unit: reconciliation, which would post any difference as money from outside, found none.
 */
export async function expectPayment({ system, core, holder, strategy, carryOut }: Payment): Promise<void> {
  const { walletId } = holder
  const before = await holder.held()
  const outside = await fromOutside(core, walletId)
  const planned = await system.profile.post<Operation>('/v1/operations/unwind', {
    walletId,
    strategyId: strategy.strategyId,
    amount: String(PAYMENT),
  })
  expect(planned.status, planned.text).toBe(201)
  const { settledAmount } = await carryOut(planned.body)

  const after = await holder.held()
  // A program redeems whole shares, whose price leaves a few units.
  expect(after - before).toBeGreaterThanOrEqual(PAYMENT - 10n)
  expect(after - before).toBeLessThanOrEqual(PAYMENT + 10n)
  expect(settledAmount).toBe(String(after - before))
  expect(await balanceOf(system, walletId)).toMatchObject({ available: String(after), reserved: '0' })
  expect(await fromOutside(core, walletId)).toEqual(outside)
}

async function balanceOf(system: System, walletId: number): Promise<Balance> {
  const { balances } = (await system.profile.get<WalletDetail>(`/v1/wallets/${walletId}`)).body
  return balances.find(({ token }) => token === 'USDC')!
}

/** How many entries the wallet has of tokens and of shares that came or went outside of operations. */
export async function fromOutside(core: HttpClient, walletId: number, token = 'USDC'): Promise<readonly number[]> {
  const totals: number[] = []
  for (const kind of ['external_balance', 'external_position']) {
    const path = `/api/core/ledger-entries?walletId=${walletId}&token=${token}&kind=${kind}&limit=1`
    const answer = await core.get<{ data: { pagination: { total: number } } }>(path)
    expect(answer.status, answer.text).toBe(200)
    totals.push(answer.body.data.pagination.total)
  }
  return totals
}

/** Its entries, newest first, to see what came from outside where something did. */
export async function entriesOf(core: HttpClient, walletId: number): Promise<string> {
  const path = `/api/core/ledger-entries?walletId=${walletId}&token=USDC&limit=50`
  const { entries } = (await core.get<{ data: { entries: readonly LedgerEntry[] } }>(path)).body.data
  return entries
    .map(({ kind, operationId, blockNumber, bookedAt, postings }) => {
      const moved = postings.map(({ account, amountBaseUnits }) => `${account} ${amountBaseUnits}`)
      return `${bookedAt} block ${blockNumber} ${kind} of operation ${operationId}: ${moved.join(', ')}`
    })
    .join('\n')
}

interface LedgerEntry {
  readonly kind: string
  readonly operationId: number | null
  readonly blockNumber: number | null
  readonly bookedAt: string
  readonly postings: readonly { readonly account: string; readonly amountBaseUnits: string }[]
}
