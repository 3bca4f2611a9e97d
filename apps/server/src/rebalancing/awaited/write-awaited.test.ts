// Also tested elsewhere: with the operations that fetch it (../withdraw-partly.test.ts), and its ends (end-awaited.test.ts).
import { expect, test } from 'vitest'
import { BY_KEY } from '../../../testing/operations/requesters.ts'
import { useAwaited } from '../../../testing/rebalancing/use-awaited.ts'
import { USDC } from '../../../testing/units.ts'
import { inTransaction } from '../../database/index.ts'
import { addOperation, advanceAwaited, openAwaited } from './write-awaited.ts'

const { rebalancer, use, target, comeFree, request, awaited, states, carryOut } = useAwaited()

test('a service account’s requester is remembered with the member who holds its secret', async () => {
  const requestedBy = { type: 'service_account', id: 7, heldBy: 3 } as const
  const place = await target()
  const { db, clock } = rebalancer.engine
  await inTransaction(db, (tx) => openAwaited(tx, { ...place, amount: null, requestedBy }, clock.now()))
  expect(await awaited()).toMatchObject({ amount: null, requestedBy })
})

test('it takes no operation whose rest was read before another one paid', async () => {
  await comeFree(40n)
  const { operation, awaited: opened } = await request(50n * USDC)
  await carryOut(operation!.operationId)
  const add = (fetched: bigint) =>
    inTransaction(rebalancer.engine.db, (tx) => addOperation(tx, operation!, { ...opened!.withdrawal, fetched }))
  await expect(add(0n)).rejects.toMatchObject({ code: 'OPERATION_IN_PROGRESS' })
  // What is known of it is right, and the operation is one of its own already.
  await expect(add(40n * USDC)).rejects.toMatchObject({ code: '23505' })
})

test('it ends once, and takes no operation afterwards', async () => {
  await comeFree(40n)
  const { operation, awaited: opened } = await request(50n * USDC)
  const { db, clock } = rebalancer.engine
  const place = { organizationId: use().wallet.organizationId, awaitedId: opened!.withdrawal.awaitedId }
  const end = () => inTransaction(db, (tx) => advanceAwaited(tx, place, 'cancelled', clock.now()))
  expect([await end(), await end()]).toEqual([true, false])
  await expect(
    inTransaction(db, (tx) => addOperation(tx, operation!, { ...place, fetched: 0n })),
  ).rejects.toMatchObject({
    code: 'OPERATION_IN_PROGRESS',
  })
  expect(await states()).toEqual(['cancelled'])
  const again = { ...(await target()), amount: 1n, requestedBy: BY_KEY }
  await inTransaction(db, (tx) => openAwaited(tx, again, clock.now()))
  await expect(inTransaction(db, (tx) => openAwaited(tx, again, clock.now()))).rejects.toMatchObject({
    code: 'CONFLICT',
  })
})
