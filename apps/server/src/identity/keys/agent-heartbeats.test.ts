import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { AGENT_HEARTBEATS_MAX } from '../../kernel/index.ts'
import { agentHeartbeats } from './agent-heartbeats.ts'

test('keys that one organization no longer uses hide no silent agent of another', async () => {
  const { db, close } = await testDatabase()
  await sql`insert into organizations (name, created_at) values ('Many', now()), ('One', now())`.execute(db)
  await sql`
    insert into api_keys (organization_id, name, scope, key_hash, preview, created_at, last_polled_at)
    select case when n > ${AGENT_HEARTBEATS_MAX}::int then 2 else 1 end, 'an agent', 'organization',
      sha256(n::text::bytea), 'a', now(), now() - interval '1 d' + make_interval(mins => n)
    from generate_series(1, ${AGENT_HEARTBEATS_MAX}::int + 1) n
  `.execute(db)
  const agents = await agentHeartbeats(db, new Date())
  expect(agents).toHaveLength(AGENT_HEARTBEATS_MAX)
  expect(agents.slice(0, 3).map(({ organizationId, keyId }) => [organizationId, keyId])).toEqual([
    [1, 1],
    [2, AGENT_HEARTBEATS_MAX + 1],
    [1, 2],
  ])
  await close()
})
