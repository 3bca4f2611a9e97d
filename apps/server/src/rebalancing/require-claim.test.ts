// Also tested in: rebalancing/evaluate-due-wallets.test.ts (what an evaluation does with its claim).
import { expect, test } from 'vitest'
import { untilBlockedOrEnded } from '../../testing/database/overlap.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { extendTransact, type Transact, transactOn } from '../database/index.ts'
import type { Operation } from '../operations/index.ts'
import { claimEvaluations, updateOperationalWallet } from '../wallets/index.ts'
import { requireClaim } from './require-claim.ts'

const store = useStore()
const PLANNED = { operationId: 1 } as Operation

async function due() {
  const opWallet = await store.operationalWallet(await store.wallet())
  await store.db
    .updateTable('operational_wallets')
    .set({ due_at: store.clock.now() })
    .where('id', '=', opWallet.opWalletId)
    .execute()
  return opWallet
}
const claim = async (opWalletId: number) =>
  (await claimEvaluations(store.db, store.clock.now(), 100)).find((one) => one.opWalletId === opWalletId)!

test('while the claim is held, the plan commits', async () => {
  const opWallet = await due()
  const transact = requireClaim({ claim: await claim(opWallet.opWalletId), opWallet }, transactOn(store.db))
  expect(await transact(async () => PLANNED)).toBe(PLANNED)
})

test('once people changed the settings that it was chosen for, the plan is refused', async () => {
  const opWallet = await due()
  const { organizationId, opWalletId, enableYield, buffer } = opWallet
  const transact = requireClaim({ claim: await claim(opWalletId), opWallet }, transactOn(store.db))
  for (const change of [{ enableYield: !enableYield }, { buffer: buffer + 1n }]) {
    await updateOperationalWallet(store.parts, { organizationId, opWalletId, ...change })
    await expect(transact(async () => PLANNED)).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
    await updateOperationalWallet(store.parts, { organizationId, opWalletId, enableYield, buffer })
    expect(await transact(async () => PLANNED)).toBe(PLANNED)
  }
})

test('while the plan commits, a change of the settings waits, so that it finds what was planned', async () => {
  const opWallet = await due()
  const { organizationId, opWalletId, enableYield } = opWallet
  const order: string[] = []
  let changed: Promise<unknown> = Promise.resolve()
  const onDatabase: Transact<Operation> = transactOn(store.db)
  const committing = extendTransact(onDatabase, async (_, operation: Operation) => {
    const change = { organizationId, opWalletId, enableYield: !enableYield }
    changed = updateOperationalWallet(store.parts, change).then(() => order.push('changed'))
    await untilBlockedOrEnded(store.db, changed)
    order.push('planned')
    return operation
  })
  await requireClaim({ claim: await claim(opWalletId), opWallet }, committing)(async () => PLANNED)
  await changed
  expect(order).toEqual(['planned', 'changed'])
})

test('once another process claimed the wallet, the plan is refused and rolled back', async () => {
  const opWallet = await due()
  const { opWalletId, organizationId } = opWallet
  const lapsed = await claim(opWalletId)
  store.clock.advance(lapsed.until.getTime() - store.clock.now().getTime())
  const current = await claim(opWalletId)
  const rename = (held: typeof lapsed, name: string) =>
    requireClaim(
      { claim: held, opWallet },
      transactOn(store.db),
    )(async (tx) => {
      await tx.updateTable('organizations').set({ name }).where('id', '=', organizationId).execute()
      return PLANNED
    })
  await expect(rename(lapsed, 'written by the first')).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  const name = () => store.db.selectFrom('organizations').select('name').where('id', '=', organizationId).execute()
  expect(await name()).not.toEqual([{ name: 'written by the first' }])
  await rename(current, 'written by the second')
  expect(await name()).toEqual([{ name: 'written by the second' }])
})
