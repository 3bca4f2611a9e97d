// Also tested in: identity/security-events/security-events.test.ts (batches, floods, outages).

import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { uuidV7 } from '../../kernel/index.ts'
import { insertSecurityEvents } from './insert-security-events.ts'
import { listSecurityEvents } from './list-security-events.ts'

const parts = useFixture(identityFixture)

test('every fact of an event is stored, and a batch that is sent again changes nothing', async () => {
  const { owner } = await organization(parts)
  const at = parts.clock.now()
  const event = {
    id: uuidV7(parts.random, at),
    at,
    lastAt: at,
    count: 3,
    type: 'sign_in_refused' as const,
    organizationId: owner.organizationId,
    actorType: 'user' as const,
    actorId: owner.userId,
    address: '2001:db8::1',
    userAgent: `"quoted" \\ ' and Größe`,
    route: '/api/core/auth/login',
    method: 'POST',
    status: 401,
    code: 'UNAUTHORIZED',
    reason: 'wrong_password',
    requestId: 'req_1',
  }
  await insertSecurityEvents(parts.db, [event])
  await insertSecurityEvents(parts.db, [{ ...event, count: 4 }])
  await insertSecurityEvents(parts.db, [])
  const { events } = await listSecurityEvents(parts, owner.organizationId, {}, { limit: 10 })
  expect(events).toEqual([event])
})
