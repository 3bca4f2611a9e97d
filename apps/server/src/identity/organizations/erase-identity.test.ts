// Also tested in: erase-organization.test.ts (progress, waiting), main/compose/organization-erasure.test.ts (every column).

import { type Selectable, sql } from 'kysely'
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { Schema } from '../../database/index.ts'
import { generateKey } from '../keys/generate-key.ts'
import { hostEvent } from '../security-events/host-event.ts'
import { SecurityEvents } from '../security-events/security-events.ts'
import { createServiceAccount } from '../service-accounts/create-service-account.ts'
import { KeyUsage } from '../shared/key-usage.ts'
import { deleteOrganization } from './delete-organization.ts'
import { IDENTITY_ERASURE } from './erase-identity.ts'
import { eraseOrganization } from './erase-organization.ts'
import type { ErasureStep } from './erasure.ts'
import { requestErasureOfDeleted } from './request-erasure.ts'

const parts = useFixture(identityFixture)

const address = '192.0.2.7'

type Table = 'api_keys' | 'service_accounts' | 'service_account_secrets' | 'security_events'

/** An organization with a key and a service account of one name, and its erasure from the deletion to the end. */
async function withKeys(name: string) {
  const { owner, organization: home } = await organization(parts)
  const { organizationId, userId: createdBy } = owner
  const restricted = { organizationId, name, allowedAddresses: [address] }
  await generateKey(parts, restricted)
  await createServiceAccount(parts, { ...restricted, createdBy, role: 'viewer' })
  const rows = <T extends Table>(table: T) => sql<Selectable<Schema[T]>>`
    select * from ${sql.table(table)} where organization_id = ${organizationId}
  `
  const rowsOf = async <T extends Table>(table: T) => (await rows(table).execute(parts.db)).rows
  return {
    organizationId,
    rowsOf,
    /** `beforeEnd` runs after the last step, before the organization is marked as erased. */
    async erase(beforeEnd: () => Promise<void> = async () => {}) {
      await deleteOrganization(parts, { actor: owner, name: home.name, assertDeletable: async () => {} })
      await requestErasureOfDeleted(parts, organizationId)
      let isHeld = true
      const end: ErasureStep = { name: 'end', erase: async () => (isHeld ? Promise.reject(new Error('held')) : 0) }
      const run = () => eraseOrganization({ ...parts, steps: [...IDENTITY_ERASURE, end] }, organizationId)
      await expect(run()).rejects.toThrow('held')
      await beforeEnd()
      isHeld = false
      await run()
    },
  }
}

test('a use of a key that is written after the erasure brings no address back', async () => {
  const { organizationId, rowsOf, erase } = await withKeys('A key')
  const usage = new KeyUsage(parts)
  const [key] = await rowsOf('api_keys')
  const [secret] = await rowsOf('service_account_secrets')
  usage.record({ organizationId, keyId: key!.id, address })
  usage.record({ organizationId, keyId: secret!.id, address, isAccountSecret: true })
  await erase()
  await usage.flush()
  expect(await rowsOf('api_keys')).toMatchObject([{ last_used_address: null }])
  expect(await rowsOf('service_account_secrets')).toMatchObject([{ last_used_address: null }])
})

test('a security event that is written during or after an erasure has neither address nor user agent', async () => {
  const { organizationId, rowsOf, erase } = await withKeys('A key')
  const other = await withKeys('A key')
  const refused = { type: 'credential_refused', address, userAgent: 'curl' } as const
  const events = new SecurityEvents(parts)
  const record = (id: number) => events.record(hostEvent({ ...refused, organizationId: id }))
  record(organizationId)
  await erase(() => events.flush({ all: true }))
  record(organizationId)
  record(other.organizationId)
  await events.flush({ all: true })
  const nothing = { address: null, user_agent: null }
  expect(await rowsOf('security_events')).toMatchObject([nothing, nothing])
  expect(await other.rowsOf('security_events')).toMatchObject([{ address, user_agent: 'curl' }])
})

test('a key and a service account that are called like erased ones are erased and end, too', async () => {
  const { rowsOf, erase } = await withKeys('[erased]')
  await erase()
  const at = parts.clock.now()
  expect(await rowsOf('api_keys')).toMatchObject([{ allowed_addresses: null, revoked_at: at }])
  expect(await rowsOf('service_accounts')).toMatchObject([{ allowed_addresses: null, deleted_at: at }])
})
