import { expect, test } from 'vitest'
import { overlap } from '../../../../testing/database/overlap.ts'
import { useStore } from '../../../../testing/operations/use-store.ts'
import { cancelOperation } from '../../submission/cancel-operation.ts'
import { lockOperation } from './lock-operation.ts'

const store = useStore()

test('an operation that another transaction changes is read once that has committed', async () => {
  const wallet = await store.wallet()
  const { operationId } = await store.plan(wallet)
  const scope = { organizationId: wallet.organizationId, walletProfileId: null }
  const locked = overlap(store.db, () => store.tx((tx) => lockOperation(tx, scope, operationId)))
  await cancelOperation(store.parts, scope, operationId, locked.transact)
  expect(await locked.outcome()).toMatchObject({ state: 'ABORTED', failureReason: 'CANCELLED' })
})

test('an operation of another organization is not found', async () => {
  const { operationId } = await store.plan(await store.wallet())
  const scope = { organizationId: await store.organization(), walletProfileId: null }
  const locking = store.tx((tx) => lockOperation(tx, scope, operationId))
  await expect(locking).rejects.toMatchObject({ code: 'OPERATION_NOT_FOUND' })
})
