// Also tested elsewhere: over HTTP (surfaces/core/agent/custody.test.ts), and reports of leased actions
// (report-action.test.ts).
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { overlap } from '../../testing/database/overlap.ts'
import { useStore } from '../../testing/operations/use-store.ts'
import { systemRandomSource } from '../kernel/index.ts'
import type { AgentParts } from './parts.ts'
import { createActionPolls, type PollActions } from './poll-actions.ts'
import { requestWallet } from './request-wallet.ts'

const store = useStore()
const LEASE_MS = 30_000
let parts: AgentParts
let pollActions: PollActions
let organizationId: number

beforeEach(async () => {
  parts = { ...store.parts, random: systemRandomSource }
  pollActions = createActionPolls(parts)
  organizationId = await store.organization()
})

const request = (label: string) => requestWallet(parts, { organizationId, blockchain: 'polygon', label })
/** Polls once without waiting. */
const poll = (by = organizationId, poll = pollActions) =>
  poll({ organizationId: by, leaseDurationMs: LEASE_MS, signal: AbortSignal.abort() })

test('the oldest action is leased, and each one to one agent', async () => {
  const first = await request('first')
  store.clock.advance(1)
  const second = await request('second')
  expect(await poll()).toMatchObject({ action: first, leasedUntil: new Date(store.clock.now().getTime() + LEASE_MS) })
  expect((await poll())?.action).toEqual(second)
  expect(await poll()).toBeUndefined()
})

test('an action whose lease lapsed goes before younger ones', async () => {
  const first = await request('first')
  await poll()
  await request('second')
  store.clock.advance(LEASE_MS)
  expect((await poll())?.action.actionId).toBe(first.actionId)
})

test('simultaneous polls never get the same action', async () => {
  for (const label of ['a', 'b', 'c']) await request(label)
  const polled = await Promise.all(Array.from({ length: 6 }, () => poll()))
  const ids = polled.flatMap((leased) => (leased ? [leased.action.actionId] : []))
  expect(new Set(ids).size).toBe(ids.length)
  const tokens = polled.flatMap((leased) => (leased ? [leased.leaseToken] : []))
  expect(new Set(tokens).size).toBe(tokens.length)
})

test('a poll that overlaps another one gets the next action', async () => {
  const actions = [await request('a'), await request('b')]
  const second = overlap(store.db, () => poll())
  const first = await second.transact((tx) => poll(organizationId, createActionPolls({ ...parts, db: tx })))
  const ids = [first, await second.outcome()].map((leased) => leased?.action.actionId)
  expect(ids.toSorted()).toEqual(actions.map(({ actionId }) => actionId))
})

test('a lapsed lease makes the action available again, under another token', async () => {
  const { actionId } = await request('Hot')
  const first = await poll()
  store.clock.advance(LEASE_MS - 1)
  expect(await poll()).toBeUndefined()
  store.clock.advance(1)
  const second = await poll()
  expect(second?.action.actionId).toBe(actionId)
  expect(second?.leaseToken).not.toBe(first?.leaseToken)
  const { lease_count } = await store.db
    .selectFrom('agent_actions')
    .select('lease_count')
    .where('id', '=', actionId)
    .executeTakeFirstOrThrow()
  expect(lease_count).toBe(2)
})

test('an action that has ended or belongs to another organization is never leased', async () => {
  const { actionId } = await request('Hot')
  expect(await poll(await store.organization())).toBeUndefined()
  const ended = store.db.updateTable('agent_actions').set({ status: 'FAILED' })
  await ended.where('id', '=', actionId).execute()
  expect(await poll()).toBeUndefined()
})

test('when there is no action, a poll writes nothing', async () => {
  await store.tx(async (tx) => {
    expect(await poll(organizationId, createActionPolls({ ...parts, db: tx }))).toBeUndefined()
    const { rows } = await sql<{ id: string | null }>`select pg_current_xact_id_if_assigned()::text as id`.execute(tx)
    expect(rows).toEqual([{ id: null }])
  })
})

test('a poll that waits gets what is requested meanwhile; one whose caller has gone takes nothing from it', async () => {
  const wait = (signal: AbortSignal) => pollActions({ organizationId, leaseDurationMs: LEASE_MS, signal })
  const gone = new AbortController()
  const [abandoned, waiting] = [wait(gone.signal), wait(new AbortController().signal)]
  gone.abort()
  expect(await abandoned).toBeUndefined()
  const requested = await request('Hot')
  expect((await waiting)?.action).toEqual(requested)
})
