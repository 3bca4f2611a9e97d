import { expect, test } from 'vitest'
import { organization } from '../../../../testing/identity/identity-fixture.ts'
import { ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { inTransaction } from '../../../database/index.ts'
import { claimDomain } from './claim-domain.ts'
import { recordProvedDomain } from './domain.ts'

const parts = useFixture(ssoFixture)

test('exactly one of several organizations that prove a domain at once holds it', async () => {
  const owners = await Promise.all([0, 1, 2, 3].map(async () => (await organization(parts)).owner))
  for (const owner of owners) await claimDomain(parts, owner, 'wanted.example')
  const outcomes = await Promise.allSettled(
    owners.map(({ organizationId }) =>
      inTransaction(parts.db, (tx) =>
        recordProvedDomain(tx, parts.clock.now(), { organizationId, domain: 'wanted.example' }),
      ),
    ),
  )
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toHaveLength(3)
  for (const reason of refused) expect(reason).toMatchObject({ code: 'CONFLICT', details: { reason: 'domain_taken' } })
})

test('a domain that the organization never claimed cannot be held', async () => {
  const { organizationId } = (await organization(parts)).owner
  const held = inTransaction(parts.db, (tx) =>
    recordProvedDomain(tx, parts.clock.now(), { organizationId, domain: 'unclaimed.example' }),
  )
  await expect(held).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
