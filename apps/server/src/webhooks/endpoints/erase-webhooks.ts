import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import type { ErasedOrganization, ErasureStep } from '../../identity/index.ts'
import { ERASURE_ROWS_BATCH } from '../../kernel/index.ts'

/** Where an erased webhook points; the name never resolves (RFC 2606). */
const ERASED_URL = 'https://erased.invalid/'

/**
 * Destroys addresses, descriptions and secrets of the organization's webhooks, in its events too, and what receivers
 * responded.
 */
export const WEBHOOK_ERASURE: ErasureStep = {
  name: 'webhooks',
  async erase(tx, organization) {
    return (
      (await eraseOldSecrets(tx, organization)) +
      (await eraseEndpoints(tx, organization)) +
      (await eraseAttempts(tx, organization)) +
      (await eraseEvents(tx, organization))
    )
  },
}

async function eraseOldSecrets(tx: Tx, { organizationId }: ErasedOrganization): Promise<number> {
  return await countRows(
    tx,
    sql`
      delete from webhook_old_secrets where organization_id = ${organizationId} and id in (
        select id from webhook_old_secrets where organization_id = ${organizationId} limit ${ERASURE_ROWS_BATCH})
    `,
  )
}

async function eraseEndpoints(tx: Tx, { organizationId, at }: ErasedOrganization): Promise<number> {
  const empty = Buffer.alloc(0)
  return await countRows(
    tx,
    sql`
      update webhooks set url = ${ERASED_URL}, description = null, secret = ${empty}, previous_secret = null,
        due_at = null, stopped_at = ${at}, deleted_at = coalesce(deleted_at, ${at}), updated_at = ${at}
      where organization_id = ${organizationId} and id in (
        -- A URL alone is no mark: somebody may have chosen this one. No webhook in use has an empty secret.
        select id from webhooks where organization_id = ${organizationId} and (url <> ${ERASED_URL} or secret <> ${empty})
        order by id limit ${ERASURE_ROWS_BATCH})
    `,
  )
}

async function eraseAttempts(tx: Tx, { organizationId }: ErasedOrganization): Promise<number> {
  return await countRows(
    tx,
    sql`
      update webhook_deliveries set attempts = '[]' where organization_id = ${organizationId} and id in (
        select id from webhook_deliveries where organization_id = ${organizationId} and attempts <> '[]'
        limit ${ERASURE_ROWS_BATCH})
    `,
  )
}

/** Tests, and reports that a webhook was disabled, name its URL. */
async function eraseEvents(tx: Tx, { organizationId }: ErasedOrganization): Promise<number> {
  const namesUrl = sql`organization_id = ${organizationId} and object_type = 'webhook'
    and (data ->> 'url' is not null or body::jsonb -> 'data' ->> 'url' is not null)`
  const unrelayed = sql`select id from outbox where relayed_at is null and ${namesUrl}`
  // The relay writes the body of an event from what it read before.
  if ((await unrelayed.execute(tx)).rows.length > 0)
    await tx.selectFrom('event_relay').select('id').forUpdate().execute()
  return await countRows(
    tx,
    sql`
      update outbox set data = jsonb_set(data, '{url}', 'null'),
        body = jsonb_set(body::jsonb, '{data,url}', 'null')::text
      where organization_id = ${organizationId} and id in (
        (select id from outbox where position is not null and ${namesUrl}
          and object_id = any(array(select id from webhooks where organization_id = ${organizationId})))
        union all (${unrelayed}) limit ${ERASURE_ROWS_BATCH})
    `,
  )
}

async function countRows(tx: Tx, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await statement.execute(tx)
  return Number(numAffectedRows ?? 0)
}
