import { expect, test } from 'vitest'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { inTransaction } from '../../../database/index.ts'
import { deleteOrganization, type UserCredential } from '../../../identity/index.ts'
import { cancelOperation, requireNoUnfinishedOperations } from '../../index.ts'

const use = useEngine()

async function remove(): Promise<void> {
  const { organizationId } = use.client.scope
  const actor = {
    kind: 'user',
    organizationId,
    userId: 1,
    sessionId: 1,
    role: 'owner',
    rateLimitOverrides: {},
  } as const
  await deleteOrganization(use.engine.parts, {
    actor: actor satisfies UserCredential,
    name: 'Acme',
    assertDeletable: requireNoUnfinishedOperations,
  })
}

test('an organization with an unfinished operation cannot be deleted, and one without can', async () => {
  const plan = await use.client.supply(100n * USDC)
  await expect(remove()).rejects.toMatchObject({ code: 'CONFLICT', details: { unfinishedOperations: 1 } })
  await cancelOperation(use.engine.parts, use.client.scope, plan.operationId)
  await remove()
  const { organizationId } = use.client.scope
  await inTransaction(use.engine.db, (tx) => requireNoUnfinishedOperations(tx, organizationId))
})

test('nothing is planned for a deleted organization, even by a request that was authorized before', async () => {
  await remove()
  await expect(use.client.supply(100n * USDC)).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' })
})

test('exactly one of a simultaneous plan and deletion succeeds', async () => {
  const [planned, removed] = await Promise.allSettled([use.client.supply(100n * USDC), remove()])
  expect([planned.status, removed.status].sort()).toEqual(['fulfilled', 'rejected'])
})

test('bytes issued before the deletion are settled in the ledger when they land', async () => {
  await use.client.complete(await use.client.supply(500n * USDC))
  const plan = await use.client.unwind(100n * USDC)
  await cancelOperation(use.engine.parts, use.client.scope, plan.operationId)
  await remove()
  await use.dev.included(await use.client.send(plan.transactions[0]!))
  await use.engine.settle()
  expect((await use.client.operation(plan)).state).toBe('COMPLETED')
  expect((await use.balances()).available).toBe(600n)
})
