import { expect, expectTypeOf, test } from 'vitest'
import { useStore } from '../../../../testing/operations/use-store.ts'
import { approvedAtOf, hasEnded, type Operation, type OperationIn } from './operation.ts'

const store = useStore()

test('a field that belongs to some states cannot be read in others', () => {
  expectTypeOf<OperationIn<'PLANNING' | 'PENDING_APPROVAL'>>().not.toHaveProperty('approvedAt')
  expectTypeOf<OperationIn<'EXECUTING' | 'CONFIRMING'>>().toHaveProperty('approvedAt')
  for (const field of ['failureReason', 'completedAt', 'settledAmount', 'actualApy', 'rejectedAt'] as const)
    expectTypeOf<OperationIn<'EXECUTING' | 'CONFIRMING'>>().not.toHaveProperty(field)
  expectTypeOf<OperationIn<'COMPLETED'>>().not.toHaveProperty('rejectedAt')
  expectTypeOf<OperationIn<'FAILED' | 'ABORTED' | 'REJECTED'>>().not.toHaveProperty('settledAmount')
  expectTypeOf<OperationIn<'REJECTED'>>().not.toHaveProperty('approvedAt')
})

test('an operation that ended without effect has a reason, and an unfinished one has no end', async () => {
  const planned: Operation = await store.plan(await store.wallet())
  expect(hasEnded(planned)).toBe(false)
  expect(approvedAtOf(planned)).toBeNull()
  if (hasEnded(planned)) expectTypeOf(planned.completedAt).toEqualTypeOf<Date>()
  expectTypeOf<OperationIn<'FAILED' | 'ABORTED' | 'REJECTED'>['failureReason']>().not.toBeNullable()
})
