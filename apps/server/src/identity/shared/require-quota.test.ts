// Also tested with each verb that takes a place: wallets/register-wallet.test.ts, agents/request-wallet.test.ts,
// webhooks/endpoints/create-webhook.test.ts, ramp/customers/create-recipient.test.ts, ramp/accounts/open-account.test.ts
// and operations/planning/require-pending-quota.test.ts; over HTTP in surfaces/core/identity/organization/quotas.test.ts.
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { beyondQuota, setQuotas } from '../../../testing/identity/set-quotas.ts'
import { countStatements } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { QUOTAS } from '../../kernel/index.ts'
import { deleteKey } from '../keys/delete-key.ts'
import { generateKey } from '../keys/generate-key.ts'
import { rotateKey } from '../keys/rotate-key.ts'
import { addMember } from '../members/add-member.ts'
import { createProfile } from '../profiles/create-profile.ts'
import { apiKeyUse, memberUse, profileUse } from './identity-use.ts'
import { readQuotas, requireQuota } from './require-quota.ts'

const parts = useFixture(identityFixture)

const uses = { apiKeys: apiKeyUse, members: memberUse, walletProfiles: profileUse }
const reading = (organizationId: number) => readQuotas(parts.db, parts, organizationId, uses)

test('a new organization has an owner and a profile, and the default limits', async () => {
  const { owner } = await organization(parts)
  expect(await reading(owner.organizationId)).toEqual({
    apiKeys: { limit: QUOTAS.apiKeys, used: 0 },
    members: { limit: QUOTAS.members, used: 1 },
    walletProfiles: { limit: QUOTAS.walletProfiles, used: 1 },
  })
})

test('the operator’s setting applies to all, and an override to its organization only', async () => {
  const [one, other] = [await organization(parts), await organization(parts)]
  await setQuotas(parts.db, one.owner.organizationId, { apiKeys: 7 })
  const limited = { ...parts, quotas: { ...QUOTAS, apiKeys: 3 } }
  const limitOf = async (organizationId: number) =>
    (await readQuotas(parts.db, limited, organizationId, { apiKeys: apiKeyUse })).apiKeys!.limit
  expect(await limitOf(one.owner.organizationId)).toBe(7)
  expect(await limitOf(other.owner.organizationId)).toBe(3)
})

test('only as many simultaneous requests succeed as there are places', async () => {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  await setQuotas(parts.db, organizationId, { apiKeys: 3, members: 3, walletProfiles: 3 })
  const attempts = Array.from({ length: 6 }, (_, at) => `Place ${at}`)
  const outcomes = {
    apiKeys: await Promise.allSettled(attempts.map((name) => generateKey(parts, { organizationId, name }))),
    members: await Promise.allSettled(
      attempts.map((name, at) =>
        addMember(parts, owner, {
          email: `m${at}.${organizationId}@acme.example`,
          name,
          role: 'viewer',
          password: 'p'.repeat(16),
        }),
      ),
    ),
    walletProfiles: await Promise.allSettled(attempts.map((name) => createProfile(parts, organizationId, { name }))),
  }
  const succeeded = { apiKeys: 3, members: 2, walletProfiles: 2 }
  for (const [quota, results] of Object.entries(outcomes) as [keyof typeof uses, PromiseSettledResult<unknown>[]][]) {
    expect(
      results.filter(({ status }) => status === 'fulfilled'),
      quota,
    ).toHaveLength(succeeded[quota])
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject(beyondQuota(quota, 3))
    }
    expect((await reading(organizationId))[quota]).toEqual({ limit: 3, used: 3 })
  }
})

test('a deleted key and an expired one give their places back, and a rotation needs one', async () => {
  const { organizationId } = (await organization(parts)).owner
  await setQuotas(parts.db, organizationId, { apiKeys: 2 })
  const generate = (expiresAt?: Date) =>
    generateKey(parts, { organizationId, name: 'Key', ...(expiresAt && { expiresAt }) })
  const kept = await generate()
  await generate(new Date(parts.clock.now().getTime() + 1_000))
  await expect(generate()).rejects.toMatchObject(beyondQuota('apiKeys', 2))
  parts.clock.advance(1_000)
  const second = await generate()
  await expect(rotateKey(parts, { organizationId, keyId: kept.id })).rejects.toMatchObject(beyondQuota('apiKeys', 2))
  await deleteKey(parts, organizationId, second.id)
  await rotateKey(parts, { organizationId, keyId: kept.id })
})

test('far from the limit a place costs one statement and no lock; a limit of zero closes', async () => {
  const { organizationId } = (await organization(parts)).owner
  const take = (quotas = QUOTAS as Record<keyof typeof QUOTAS, number>) =>
    countStatements(() =>
      inTransaction(parts.db, (tx) =>
        requireQuota(tx, { ...parts, quotas }, { organizationId, quota: 'apiKeys', use: apiKeyUse }),
      ),
    )
  const far = await take({ ...QUOTAS, apiKeys: 1_000_000 })
  const near = await take()
  expect(near.statements - far.statements).toBe(2)
  await expect(take({ ...QUOTAS, apiKeys: 0 })).rejects.toMatchObject(beyondQuota('apiKeys', 0))
})
