// Also tested in: rebalancing/evaluate-due-wallets.test.ts (what an evaluation does with its claim).
import { expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import { transactOn } from '../database/index.ts'
import type { Operation } from '../operations/index.ts'
import { claimEvaluations } from '../wallets/index.ts'
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
  const { opWalletId } = await due()
  const transact = requireClaim(await claim(opWalletId), transactOn(store.db))
  expect(await transact(async () => PLANNED)).toBe(PLANNED)
})

test('once another process claimed the wallet, the plan is refused and rolled back', async () => {
  const { opWalletId, organizationId } = await due()
  const lapsed = await claim(opWalletId)
  store.clock.advance(lapsed.until.getTime() - store.clock.now().getTime())
  const current = await claim(opWalletId)
  const rename = (held: typeof lapsed, name: string) =>
    requireClaim(
      held,
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
