// Also tested elsewhere: by what is refused (require-destination.test.ts).
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { enforceDestinations } from './enforce-destinations.ts'
import { listDestinations } from './list-destinations.ts'

const parts = useFixture(identityFixture)

test('a list is enforced from the moment that it is switched on until it is switched off', async () => {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  const isEnforced = async () => (await listDestinations(parts.db, organizationId)).enforced
  expect(await isEnforced()).toBe(false)
  for (const enforced of [true, true, false, true]) {
    expect(await enforceDestinations(parts, { organizationId, enforced })).toBe(enforced)
    expect(await isEnforced()).toBe(enforced)
  }
})
