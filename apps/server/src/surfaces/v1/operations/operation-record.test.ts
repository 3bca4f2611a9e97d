import { expect, test } from 'vitest'
import { useEngine } from '../../../../testing/operations/use-engine.ts'
import { USDC } from '../../../../testing/units.ts'
import { readOperation } from '../../../operations/lifecycle/reads/read-operations.ts'
import { advanceTransaction } from '../../../operations/lifecycle/transitions/advance-transactions.ts'
import { presentOperation } from './operation-record.ts'

const use = useEngine({ confirmations: 3 })

test('a transaction that was in a block shows it with its confirmations, also after its bytes died', async () => {
  const { organizationId, operationId, transactions } = await use.client.supply(100n * USDC)
  const plan = await use.client.operation({ operationId })
  await use.dev.included(await use.client.submitAll(plan))
  await use.engine.followOnce()
  const rollback = new Error('rollback')
  const shown: unknown[] = []
  const rolledBack = use.engine.db.transaction().execute(async (tx) => {
    const read = () => readOperation(tx, { organizationId, walletProfileId: null }, operationId)
    const last = transactions.length - 1
    const failure = { code: 'NONCE_TOO_LOW', error: 'x' }
    const changes = [undefined, { event: 'bytes_died' }, { event: 'failed', failure }] as const
    for (const change of changes) {
      const operation = await read()
      if (change) await advanceTransaction(tx, operation, operation.transactions[last]!, change)
      const moved = await read()
      shown.push([moved.transactions[last]!.state, presentOperation(moved).transactions[last]])
    }
    throw rollback
  })
  await expect(rolledBack).rejects.toBe(rollback)
  const block = { blockNumber: expect.any(Number), confirmations: 1 }
  expect(shown).toEqual([
    ['included', expect.objectContaining({ status: 'pending', ...block })],
    ['displaced', expect.objectContaining({ status: 'pending', ...block })],
    ['dead', expect.objectContaining({ status: 'failed', ...block })],
  ])
})
