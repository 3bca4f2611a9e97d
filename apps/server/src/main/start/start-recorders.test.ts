import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { Config } from '../../config.ts'
import { agentHeartbeats } from '../../identity/index.ts'
import { addMilliseconds, CLOCK_DIFFERENCE_MAX_MS, silentLog, systemClock } from '../../kernel/index.ts'
import { createShutdownStack } from './shutdown-stack.ts'
import { startRecorders } from './start-recorders.ts'
import { watchDatabase } from './watch-database.ts'

const database = useFixture(testDatabase)
const HOUR = 3_600_000

test.each([HOUR, -HOUR])('a process whose clock is %i ms ahead moves the last poll of no agent', async (aheadMs) => {
  const { db } = database
  await sql`insert into organizations (name, created_at) values ('One', now()) on conflict do nothing`.execute(db)
  const { rows } = await sql<{ organizationId: number; keyId: number }>`
    insert into api_keys (organization_id, name, scope, key_hash, preview, created_at)
    values (1, ${`agent ${aheadMs}`}, 'organization', sha256(${String(aheadMs)}::bytea), 'a', now())
    returning organization_id as "organizationId", id as "keyId"
  `.execute(db)
  const [key] = rows
  const parts = { db, log: silentLog, clock: { now: () => addMilliseconds(systemClock.now(), aheadMs) } }
  const { clocks, stop } = await watchDatabase({ ...parts, demanded: 0, isPeriodic: false })
  const stack = createShutdownStack()
  const { usage } = await startRecorders({ securityEventsLog: 'off' } as Config, { ...parts, clocks }, stack)
  usage.record({ ...key!, polls: true })
  await usage.flush()
  const heartbeats = await agentHeartbeats(db, systemClock.now())
  const silentMs =
    systemClock.now().getTime() - heartbeats.find(({ keyId }) => keyId === key!.keyId)!.polledAt.getTime()
  expect(Math.abs(silentMs)).toBeLessThan(CLOCK_DIFFERENCE_MAX_MS)
  stop()
  await stack.unwind((_name, error) => {
    throw error
  })
})
