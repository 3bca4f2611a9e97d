// Also tested in: main/compose/organization-erasure.test.ts (every column).

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import { ERASURE_ROWS_BATCH } from '../kernel/index.ts'
import { WALLET_ERASURE } from './erase-wallets.ts'

const store = useStore()

test('one batch changes a limited number of wallets', async () => {
  const organizationId = await store.organization()
  const more = 3
  await sql`
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, label, created_at)
    select organization_id, id, 'base', '0x' || lpad(to_hex(n), 40, '0'), 'Ada ' || n, now()
    from wallet_profiles, generate_series(1, ${ERASURE_ROWS_BATCH + more}::int) n
    where organization_id = ${organizationId}
  `.execute(store.db)
  const erase = () => store.tx((tx) => WALLET_ERASURE.erase(tx, { organizationId, at: store.clock.now() }))
  expect([await erase(), await erase(), await erase()]).toEqual([ERASURE_ROWS_BATCH, more, 0])
  const left = store.db.selectFrom('wallets').select('id').where('organization_id', '=', organizationId)
  expect(await left.where('label', 'is not', null).execute()).toEqual([])
})
