import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import { addMilliseconds, EVALUATION_CLAIM_MS } from '../kernel/index.ts'
import {
  claimEvaluations,
  type EvaluationClaim,
  giveBackClaims,
  lockClaimed,
  releaseClaims,
  renewClaims,
} from './index.ts'

// `rebalancing/evaluate-due-wallets.test.ts` tests when an evaluation renews and gives back.

const store = useStore()
const after = (milliseconds: number) => addMilliseconds(store.clock.now(), milliseconds)
const dueAt = async ({ opWalletId }: { readonly opWalletId: number }) =>
  (
    await store.db
      .selectFrom('operational_wallets')
      .select('due_at')
      .where('id', '=', opWalletId)
      .executeTakeFirstOrThrow()
  ).due_at
const setDue = (at: Date | null, { opWalletId }: { readonly opWalletId: number }) =>
  store.db.updateTable('operational_wallets').set({ due_at: at }).where('id', '=', opWalletId).execute()
const NO_SETTINGS = { enableYield: true, buffer: 0n }
const holds = (claim: EvaluationClaim) =>
  store.db.transaction().execute(async (tx) => (await lockClaimed(tx as never, claim, NO_SETTINGS)) !== 'lost')
const claim = async (): Promise<EvaluationClaim> => {
  const opWallet = await store.operationalWallet(await store.wallet())
  await store.db.updateTable('operational_wallets').set({ due_at: null }).execute()
  await setDue(store.clock.now(), opWallet)
  const [claimed] = await claimEvaluations(store.db, store.clock.now(), 1)
  return claimed!
}
const done = { nextDueAt: null, failures: 0, note: { outcome: 'in order', text: '' } } as const

test('a renewed claim is held from now on, and its result is stored', async () => {
  const held = await claim()
  await renewClaims(store.db, [held], after(10_000))
  expect(await dueAt(held)).toEqual(after(10_000 + EVALUATION_CLAIM_MS))
  expect(await claimEvaluations(store.db, after(EVALUATION_CLAIM_MS + 1), 1)).toEqual([])
  expect(await holds(held)).toBe(true)
  await releaseClaims(store.db, [{ claim: held, ...done }], after(11_000))
  expect(await dueAt(held)).toBeNull()
})

test('a claim that another process has is neither renewed nor given back, and stays lost', async () => {
  const lost = await claim()
  const [current] = await claimEvaluations(store.db, after(EVALUATION_CLAIM_MS), 1)
  const until = await dueAt(lost)
  await renewClaims(store.db, [lost], after(EVALUATION_CLAIM_MS + 5_000))
  await giveBackClaims(store.db, [lost], after(EVALUATION_CLAIM_MS + 5_000))
  expect(await dueAt(lost)).toEqual(until)
  expect([await holds(lost), await holds(current!)]).toEqual([false, true])
})

test('a wallet that was scheduled sooner stays due', async () => {
  const held = await claim()
  await setDue(after(1_000), held)
  await renewClaims(store.db, [held], after(5_000))
  expect(await dueAt(held)).toEqual(after(1_000))
  expect(await holds(held)).toBe(true)
})

test('a claim given back is due at once', async () => {
  const held = await claim()
  await renewClaims(store.db, [held], after(5_000))
  await giveBackClaims(store.db, [held], after(6_000))
  expect(await dueAt(held)).toEqual(after(6_000))
})

test('a renewal whose outcome is unknown keeps the claim either way, and its result is stored', async () => {
  for (const isWritten of [true, false]) {
    const held = await claim()
    const { until } = held
    const failing = store.db.transaction().execute(async (tx) => {
      await sql`select 1 / 0`.execute(tx).catch(() => undefined)
      await renewClaims(tx, [held], after(5_000))
    })
    await expect(failing).rejects.toThrow('current transaction is aborted')
    if (isWritten) await setDue(held.next!, held)
    expect(await holds(held)).toBe(true)
    // Nobody knows what the row says: renewing it further could hide that.
    await renewClaims(store.db, [held], after(6_000))
    expect(await dueAt(held)).toEqual(isWritten ? held.next : until)
    await releaseClaims(store.db, [{ claim: held, ...done }], after(7_000))
    expect(await dueAt(held)).toBeNull()
  }
})

test('a plan that asks while its claim is renewed is not refused', async () => {
  const held = await claim()
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const renewing = index % 2 === 0 ? renewClaims(store.db, [held], after(index)) : undefined
      expect(await holds(held)).toBe(true)
      await renewing
    }),
  )
})
