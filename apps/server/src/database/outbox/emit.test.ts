import { expect, test } from 'vitest'
import { countStatements, testDatabase } from '../../../testing/index.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import { emit, type NewEvent } from './emit.ts'

const event = (objectId: number): NewEvent => ({
  organizationId: 7,
  event: 'operation.completed',
  objectType: 'operation',
  objectId,
  data: { amount: '1.50' },
  at: new Date('2026-01-02T03:04:05.678Z'),
})

test('events are written with their change: all in one statement, none when it rolls back', async () => {
  const { db, close } = await testDatabase()
  const failing = inTransaction(db, async (tx) => {
    await emit(tx, [event(1)])
    throw new Error('the change failed')
  })
  await expect(failing).rejects.toThrow('the change failed')

  const count = await countStatements(() => inTransaction(db, (tx) => emit(tx, [event(2), event(3)])))
  expect(count.statements).toBe(1)
  const rows = await db.selectFrom('outbox').selectAll().orderBy('id').execute()
  expect(rows.map((row) => row.object_id)).toEqual([2, 3])
  expect(rows[0]).toMatchObject({
    organization_id: 7,
    data: { amount: '1.50' },
    created_at: event(2).at,
    relayed_at: null,
  })

  const none = await countStatements(() => inTransaction(db, (tx) => emit(tx, [])))
  expect(none.statements).toBe(0)
  await close()
})
