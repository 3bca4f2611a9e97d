// Also tested in: main/compose/organization-erasure.test.ts (every column).

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import { ERASURE_ROWS_BATCH } from '../kernel/index.ts'
import { AGENT_ACTION_ERASURE } from './erase-actions.ts'

const store = useStore()

test('one batch changes a limited number of actions', async () => {
  const organizationId = await store.organization()
  const more = 3
  await sql`
    insert into agent_actions (organization_id, type, payload, available_at, created_at)
    select ${organizationId}, 'CREATE_WALLET', '{"label": "Ada"}', now(), now()
    from generate_series(1, ${ERASURE_ROWS_BATCH + more}::int)
  `.execute(store.db)
  const erase = () => store.tx((tx) => AGENT_ACTION_ERASURE.erase(tx, { organizationId, at: store.clock.now() }))
  expect([await erase(), await erase(), await erase()]).toEqual([ERASURE_ROWS_BATCH, more, 0])
})
