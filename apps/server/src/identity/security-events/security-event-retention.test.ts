import { expect, test } from 'vitest'
import { identityFixture } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { deleteOldRows } from '../../database/index.ts'
import { securityEventRetention } from './security-event-retention.ts'
import { SecurityEvents } from './security-events.ts'

const parts = useFixture(identityFixture)

const DAY = 86_400_000
const reasons = async () =>
  (await parts.db.selectFrom('security_events').select('reason').orderBy('id').execute()).map(({ reason }) => reason)

async function record(reason: string): Promise<void> {
  const events = new SecurityEvents(parts)
  const nothing = { organizationId: null, actorType: null, actorId: null, address: null, userAgent: null }
  const noRequest = { route: null, method: null, status: null, code: null, requestId: null }
  events.record({ type: 'access_denied', reason, ...nothing, ...noRequest })
  await events.flush()
  parts.clock.advance(DAY)
}

const sweep = async (retentionMs: number, max?: number) =>
  (await deleteOldRows(parts, [securityEventRetention(parts, retentionMs, max)])).get('security_events') ?? 0

test('deletes what is older than the retention, then the oldest beyond the number of rows', async () => {
  for (const reason of ['one', 'two', 'three', 'four', 'five']) await record(reason)
  expect(await sweep(10 * DAY)).toBe(0)
  expect(await sweep(3.5 * DAY)).toBe(2)
  expect(await reasons()).toEqual(['three', 'four', 'five'])
  expect(await sweep(10 * DAY, 2)).toBe(1)
  expect(await reasons()).toEqual(['four', 'five'])
})
