// Also tested in: end-of-day.test.ts, end-of-day-price.test.ts, misbehaving-contracts.test.ts.
import { expect, test } from 'vitest'
import { loggedLines } from '../../testing/logged-lines.ts'
import { pendingSupply, supplyOf } from '../../testing/operations/pending-supply.ts'
import { useEngine } from '../../testing/operations/use-engine.ts'
import { LeaseLostError } from '../database/index.ts'
import { leasedDatabase } from '../database/queries/leased-database.ts'
import { DAY_END_RETRIES_MS, Failure } from '../kernel/index.ts'
import { createChainMaintenance } from './chain-maintenance.ts'
import { createFollower } from './index.ts'

const use = useEngine()
const signal = new AbortController().signal

/** A submitted supply that no node knows any longer. */
async function droppedSupply() {
  const plan = await pendingSupply(use)
  await use.dev.rpc('anvil_dropTransaction', supplyOf(plan).txHash)
  return { fixture: use.engine, client: use.client, plan }
}

test('a job beside the chain whose reads always fail delays no decision that a transaction was dropped', async () => {
  const { fixture, client, plan } = await droppedSupply()
  const chain: typeof fixture.chain = {
    ...fixture.chain,
    contractCode: () => Promise.reject(new Failure('CHAIN_UNAVAILABLE')),
  }
  const follower = createFollower(fixture.parts, chain, { isDevelopment: true, print: () => {} })
  for (let minute = 0; minute < 4; minute += 1) {
    await expect(follower.round(signal)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    fixture.clock.advance(60_000)
  }
  expect(supplyOf(await client.operation(plan))).toMatchObject({ failureCode: 'DROPPED' })
})

test('an outage in which nodes cannot be asked about transactions counts for nothing', async () => {
  const { fixture, client, plan } = await droppedSupply()
  let isSilent = true
  const chain: typeof fixture.chain = {
    ...fixture.chain,
    findTransactions: (hashes) =>
      isSilent ? Promise.reject(new Failure('CHAIN_UNAVAILABLE')) : fixture.chain.findTransactions(hashes),
  }
  const follower = createFollower(fixture.parts, chain, { isDevelopment: true, print: () => {} })
  fixture.clock.advance(60_000)
  for (let minute = 0; minute < 4; minute += 1) {
    await expect(follower.round(signal)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
    fixture.clock.advance(60_000)
  }
  isSilent = false
  await follower.round(signal)
  fixture.clock.advance(119_999)
  await follower.round(signal)
  expect(await client.operation(plan)).toMatchObject({ state: 'CONFIRMING' })
  fixture.clock.advance(60_000)
  await follower.round(signal)
  expect(supplyOf(await client.operation(plan))).toMatchObject({ failureCode: 'DROPPED' })
})

test('a clock that is set back delays no job beside the chain until it has caught up', async () => {
  const { engine } = use
  let reads = 0
  const chain: typeof engine.chain = {
    ...engine.chain,
    contractCode: (...asked) => {
      reads += 1
      return engine.chain.contractCode!(...asked)
    },
  }
  const follower = createFollower(engine.parts, chain, { isDevelopment: true, print: () => {} })
  await follower.round(signal)
  const before = reads
  expect(before).toBeGreaterThan(0)
  await follower.round(signal)
  expect(reads).toBe(before)
  engine.clock.advance(-3_600_000)
  await follower.round(signal)
  expect(reads).toBe(2 * before)
})

test('a process that was replaced meanwhile ends no day without its positions, however late', async () => {
  const { engine } = use
  const { log, take } = loggedLines()
  const replaced = leasedDatabase(engine.db, { job: 'follow polygon', workerId: 1, token: 1 })
  const { onDayEnd } = createChainMaintenance({ ...engine.parts, db: replaced, log }, engine.chain, undefined)
  const { final } = await engine.chain.heads()
  await expect(onDayEnd(final)).rejects.toThrow(LeaseLostError)
  engine.clock.advance(DAY_END_RETRIES_MS)
  await expect(onDayEnd(final)).rejects.toThrow(LeaseLostError)
  expect(take()).toEqual([])
})
