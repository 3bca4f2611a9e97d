// Also tested elsewhere: leases (poll-actions.test.ts), reports over HTTP (surfaces/core/agent/custody.test.ts).
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import { type AgentActionRow, agentActionFrom } from './action.ts'
import { endAction, insertAction, leaseNextActionSql } from './advance-action.ts'

const store = useStore()
let organizationId: number
let row: AgentActionRow
beforeEach(async () => {
  organizationId = await store.organization()
  row = await requested()
})

const ADDRESS = '0x000000000000000000000000000000000000dEaD'
const requested = () =>
  store.tx((tx) =>
    insertAction(tx, {
      organizationId,
      payload: { blockchain: 'polygon', label: 'Hot' },
      at: store.clock.now(),
    }),
  )
const lease = (leaseToken: string) => {
  const at = store.clock.now()
  const statement = leaseNextActionSql(organizationId, { leaseToken, at, leasedUntil: new Date(at.getTime() + 1_000) })
  return sql<AgentActionRow>`with ${statement} select * from leased`.execute(store.db).then(({ rows }) => rows)
}
const end = (report: Parameters<typeof endAction>[2], { id: actionId }: AgentActionRow = row) =>
  store.tx((tx) => endAction(tx, { organizationId, actionId }, report, store.clock.now()))

test('an action has a result only once it succeeded, and an error only once it failed', async () => {
  expect(agentActionFrom(row)).toEqual({
    actionId: row.id,
    type: 'CREATE_WALLET',
    payload: { blockchain: 'polygon', label: 'Hot' },
    status: 'PENDING',
    createdAt: store.clock.now(),
  })
  const { walletId } = await store.wallet({ organizationId })
  const result = { address: ADDRESS, signatureId: 'key-1' }
  const reportedAt = store.clock.now()
  const succeeded = agentActionFrom(await end({ event: 'succeeded', result, walletId }))
  expect(succeeded).toMatchObject({ status: 'SUCCESS', result, walletId, reportedAt })
  expect(succeeded).not.toHaveProperty('error')
  const failed = agentActionFrom(await end({ event: 'failed', error: 'no key' }, await requested()))
  expect(failed).toMatchObject({ status: 'FAILED', error: 'no key', reportedAt })
  expect(failed).not.toHaveProperty('result')
})

test('an action ends once', async () => {
  await end({ event: 'failed', error: 'no key' })
  await expect(end({ event: 'failed', error: 'again' })).rejects.toThrow('no result')
})

test('a lease takes the action that has waited longest, and counts its leases', async () => {
  const second = await requested()
  expect(await lease('a')).toMatchObject([{ id: row.id, status: 'PENDING', lease_token: 'a', lease_count: 1 }])
  expect(await lease('b')).toMatchObject([{ id: second.id }])
  expect(await lease('c')).toEqual([])
  store.clock.advance(1_000)
  expect(await lease('d')).toMatchObject([{ id: row.id, lease_token: 'd', lease_count: 2 }])
})
