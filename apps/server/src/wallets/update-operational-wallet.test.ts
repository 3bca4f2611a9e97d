// Also tested elsewhere: over HTTP with every role (surfaces/core/treasury/operational-wallets.test.ts), what the
// rebalancer makes of a change (rebalancing/evaluate-due-wallets.test.ts), and a buffer that is raised while bytes are
// prepared (operations/leasing/commit-bytes.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { failingTransact } from '../../testing/index.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { USDC } from '../../testing/units.ts'
import type { OperationalWalletWithToken } from './add-operational-wallet.ts'
import type { OperationalWallet } from './operational-wallet.ts'
import { type UpdateOperationalWallet, updateOperationalWallet } from './update-operational-wallet.ts'

const store = useStore()
let wallet: OperationalWallet

const makeNotDue = () =>
  store.db.updateTable('operational_wallets').set({ due_at: null }).where('id', '=', wallet.opWalletId).execute()

/** An operational wallet that is not due. */
beforeEach(async () => {
  wallet = await store.operationalWallet(await store.wallet(), 100n * USDC)
  await makeNotDue()
  store.clock.advance(1_000)
})

type Transact = Parameters<typeof updateOperationalWallet>[2]
const update = (change: Partial<UpdateOperationalWallet>, transact?: Transact) => {
  const { organizationId, opWalletId } = wallet
  return updateOperationalWallet(store.parts, { organizationId, opWalletId, ...change }, transact)
}
const row = () =>
  store.db
    .selectFrom('operational_wallets')
    .select(['enable_yield', 'buffer_amount', 'due_at', 'updated_at'])
    .where('id', '=', wallet.opWalletId)
    .executeTakeFirstOrThrow()

test('a change is due for evaluation at once, and leaves omitted fields as they are', async () => {
  const now = store.clock.now()
  expect((await update({ enableYield: false })).operationalWallet).toMatchObject({
    enableYield: false,
    buffer: 100n * USDC,
  })
  expect(await row()).toEqual({ enable_yield: false, buffer_amount: 100n * USDC, due_at: now, updated_at: now })
  await update({ buffer: 0n })
  expect(await row()).toMatchObject({ enable_yield: false, buffer_amount: 0n })
})

test('a repeated request is due for evaluation, and leaves the time of the settings as it is', async () => {
  await update({ buffer: 50n * USDC, enableYield: false })
  const { updated_at: setAt } = await row()
  store.clock.advance(1_000)
  for (const repeated of [{ buffer: 50n * USDC, enableYield: false }, { buffer: 50n * USDC }, { enableYield: false }]) {
    await makeNotDue()
    expect((await update(repeated)).operationalWallet.updatedAt).toEqual(setAt)
    expect(await row()).toMatchObject({ due_at: store.clock.now(), updated_at: setAt })
  }
  await update({ buffer: 50n * USDC, enableYield: true })
  expect((await row()).updated_at).toEqual(store.clock.now())
})

test('a change of settings that somebody else changed meanwhile is refused: CONFLICT', async () => {
  const read = (await row()).updated_at
  await update({ buffer: 50n * USDC, basedOn: read })
  const { updated_at: now } = await row()
  await expect(update({ buffer: 70n * USDC, basedOn: read })).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'changed_meanwhile', updatedAt: now.toISOString() },
  })
  expect((await row()).buffer_amount).toBe(50n * USDC)
  await update({ buffer: 70n * USDC, basedOn: now })
  expect((await row()).buffer_amount).toBe(70n * USDC)
})

test('a change whose transaction fails at its end is neither stored nor due', async () => {
  const before = await row()
  const failing = failingTransact<OperationalWalletWithToken>(store.db, 'the response could not be stored')
  await expect(update({ buffer: 0n }, failing)).rejects.toThrow('could not be stored')
  expect(await row()).toEqual(before)
})

test('another organization finds nothing to change: WALLET_NOT_FOUND', async () => {
  const before = await row()
  const foreign = update({ organizationId: await store.organization(), buffer: 0n })
  await expect(foreign).rejects.toMatchObject({ code: 'WALLET_NOT_FOUND' })
  expect(await row()).toEqual(before)
})

test('while its chain is not configured, nothing changes: CHAIN_UNAVAILABLE', async () => {
  const before = await row()
  const { organizationId, opWalletId } = wallet
  const parts = { ...store.parts, chains: new Map() }
  const change = updateOperationalWallet(parts, { organizationId, opWalletId, buffer: 0n })
  await expect(change).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  expect(await row()).toEqual(before)
})
