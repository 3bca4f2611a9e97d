// Also tested in: ramp/bridge/bridge.test.ts (starting, each status), poll.test.ts (a decision whose message was lost).

import { expect, test } from 'vitest'
import { startBridgeFixture } from '../../../testing/stand-ins/bridge/bridge-fixture.ts'
import { findOrganizationCustomer } from '../customers/customer.ts'
import { startKyb } from '../onboarding/start-kyb.ts'

test.each([
  ['ahead of', 300_000],
  ['behind', -300_000],
])(
  'a status that was read by a clock %s the partner’s holds up neither a decision after it nor the next reading',
  async (_where, aheadMs) => {
    const fixture = await startBridgeFixture({ aheadMs })
    try {
      const { organizationId } = await fixture.organization(false)
      const status = async () => (await findOrganizationCustomer(fixture.parts, organizationId))?.kybStatus
      await startKyb(fixture.parts, { organizationId })
      const [{ id }] = fixture.bridge.links as [{ id: string }]
      fixture.bridge.verify(id, 'under_review')
      await fixture.poll()
      expect(await status()).toBe('submitted')
      fixture.clock.advance(2_000)
      await fixture.deliver(fixture.bridge.verify(id, 'rejected'))
      expect(await status()).toBe('declined')
      // The customer corrects the form, and the message about it is lost.
      fixture.clock.advance(2_000)
      fixture.bridge.verify(id, 'under_review')
      await fixture.poll()
      expect(await status()).toBe('submitted')
    } finally {
      await fixture.close()
    }
  },
)
