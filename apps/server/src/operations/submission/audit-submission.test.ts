// Also tested in: system/attacks/audit-and-events.test.ts.

import { expect, test } from 'vitest'
import { partsThatDieBeforeSending } from '../../../testing/operations/pending-supply.ts'
import { useEngine } from '../../../testing/operations/use-engine.ts'
import { USDC } from '../../../testing/units.ts'
import { cancelOperation, submitSigned } from '../index.ts'

const use = useEngine()
const BY = { type: 'key', id: 1, request: { action: 'submitSigned', from: '192.0.2.1' } } as const
const audited = { by: BY, objectType: 'operation' } as const

const entriesOf = (operationId: number) =>
  use.engine.db
    .selectFrom('unchained_audit_entries')
    .select(['organization_id', 'action', 'actor_type', 'ip_address'])
    .where('object_type', '=', 'operation')
    .where('object_id', '=', operationId)
    .where('action', '=', 'submitSigned')
    .execute()

test('stored bytes have their audit entry before they are sent, even if the process dies then, and only one', async () => {
  const { scope } = use.client
  const { operationId, transactions } = await use.client.supply(100n * USDC)
  const signedTransaction = await use.client.sign(transactions[0]!)
  const input = { scope, operationId, signedTransaction, audited }
  await expect(submitSigned(partsThatDieBeforeSending(use.engine), input)).rejects.toThrow('died')
  const entry = {
    organization_id: scope.organizationId,
    action: 'submitSigned',
    actor_type: 'key',
    ip_address: '192.0.2.1',
  }
  expect(await entriesOf(operationId)).toEqual([entry])
  await submitSigned(use.engine.parts, input)
  expect(await entriesOf(operationId)).toEqual([entry])
})

test('bytes that are refused before they are stored have no entry', async () => {
  const { scope } = use.client
  const { operationId, transactions } = await use.client.supply(100n * USDC)
  const other = await use.client.sign(transactions[0]!, { change: { value: 1n } })
  await cancelOperation(use.engine.parts, scope, operationId)
  const late = await use.client.sign(transactions[0]!)
  for (const signedTransaction of [other, late]) {
    const submission = submitSigned(use.engine.parts, { scope, operationId, signedTransaction, audited })
    await expect(submission).rejects.toMatchObject({ code: 'INVALID_OPERATION_STATUS' })
  }
  expect(await entriesOf(operationId)).toEqual([])
})
