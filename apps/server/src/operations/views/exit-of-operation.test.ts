// What core shows of it: surfaces/core/operations/operation-detail.test.ts.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import { refusal, useV1 } from '../../../testing/surfaces/use-v1.ts'
import { USDC } from '../../../testing/units.ts'

const QUEUE = 'erc7540:polygon:USDC'
const v1 = useV1()

/** A client with 500 USDC in a vault that pays later. */
async function invested(): Promise<TestClient> {
  const client = await v1.engine.client()
  await v1.engine.settle()
  await client.complete(await client.supply(500n * USDC, QUEUE))
  return client
}
const request = async (client: TestClient, amount: bigint) => client.complete(await client.unwind(amount, QUEUE))
async function claim(client: TestClient) {
  // Nothing is requested and paid within one second, but for the blocks of this chain.
  await v1.dev.increaseTime(2)
  await v1.dev.setStrategyState(QUEUE, { pendingExits: 'settle' })
  await v1.engine.settle()
  const body = { walletId: client.wallet.walletId, strategyId: v1.engine.strategy(QUEUE).id }
  const { body: planned } = await v1.server.post(client, '/v1/operations/claim', body)
  return client.complete(await client.operation(planned))
}
/** The exit that is open began in the second in which the one before it ended. */
const shareOneSecond = ({ wallet }: TestClient) =>
  sql`update exits e set opened_at = b.claimed_at from exits b
    where e.wallet_id = ${wallet.walletId} and b.wallet_id = e.wallet_id and b.claimed_at is not null
      and e.claimed_at is null`.execute(v1.engine.db)
const shown = async (client: TestClient, { operationId }: { operationId: number }) =>
  (await v1.server.get(client, `/v1/operations/${operationId}`)).body

test('a confirmed request shows on v1 that its money waits, and the claim that it came', async () => {
  const client = await invested()
  const planned = await client.unwind(100n * USDC, QUEUE)
  expect(await shown(client, planned)).not.toHaveProperty('exit')
  await client.complete(planned)
  const waiting = await shown(client, planned)
  expect(waiting).toMatchObject({ status: 'CONFIRMED', exitStep: 'request', exit: { status: 'pending', claimed: '0' } })
  // Requests add up: the first one's money is a part of what waits.
  const second = await request(client, 50n * USDC)
  const both = await shown(client, second)
  expect(BigInt(both.exit.pending)).toBeGreaterThan(149n * USDC)
  expect(await shown(client, planned)).toMatchObject({ exit: both.exit })

  const claimed = await claim(client)
  const ended = { exitId: waiting.exit.exitId, status: 'claimed', pending: '0', claimable: '0' }
  expect(await shown(client, planned)).toMatchObject({ exit: ended })
  expect(await shown(client, claimed)).toMatchObject({ exitStep: 'claim', exit: ended })
})

test('a request keeps its own exit when another one follows, also within the second of its claim', async () => {
  const client = await invested()
  const first = await request(client, 100n * USDC)
  const firstClaim = await claim(client)
  const second = await request(client, 60n * USDC)
  await shareOneSecond(client)
  const [before, claimed, after] = [first, firstClaim, second].map((one) => shown(client, one))
  expect((await before).exit).toMatchObject({ status: 'claimed' })
  expect((await claimed).exit.exitId).toBe((await before).exit.exitId)
  expect((await after).exit).toMatchObject({ status: 'pending', claimed: '0' })
  expect((await after).exit.exitId).not.toBe((await before).exit.exitId)
})

test('an operation that pays at once has no exit', async () => {
  const client = await v1.engine.client()
  await v1.engine.settle()
  const supplied = await client.complete(await client.supply(100n * USDC))
  const withdrawn = await client.complete(await client.unwind('full'))
  for (const one of [supplied, withdrawn]) expect(await shown(client, one)).not.toHaveProperty('exit')
})

test('an exit is read by its id, by nobody outside the organization and its profile', async () => {
  const client = await invested()
  const { exit } = await shown(client, await request(client, 100n * USDC))
  const path = `/v1/exits/${exit.exitId}`
  const { body: listed } = await v1.server.get(client, `/v1/exits?walletId=${client.wallet.walletId}`)
  expect(listed.exits).toEqual([exit])
  expect(await v1.server.get(client, path)).toMatchObject({ status: 200, body: exit })
  const other = await v1.engine.client()
  expect(await v1.server.get(other, path)).toMatchObject(refusal(404, 'NOT_FOUND'))
  const otherProfile = { scope: { ...client.scope, walletProfileId: 2 ** 40 } }
  expect(await v1.server.get(otherProfile, path)).toMatchObject(refusal(404, 'NOT_FOUND'))
  expect(await v1.server.get(client, `/v1/exits/${2 ** 40}`)).toMatchObject(refusal(404, 'NOT_FOUND'))
})
