import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import type { Database, KybStatus, Schema } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import type { FieldSealer } from '../sealing/sealed-fields.ts'
import { type Customer, customerFrom } from './customer.ts'
import { matchRecipients } from './search-recipients.ts'

interface RecipientFilter {
  readonly kybStatus?: KybStatus | undefined
  readonly archived?: boolean | undefined
  /** The id, the whole external id, or the beginning of a word of the name. */
  readonly text?: string | undefined
}

/** A recipient with counts and the volume of its completed transactions in cents. */
export type RecipientSummary = Customer & {
  readonly onrampAccounts: number
  readonly offrampAccounts: number
  readonly transactions: number
  readonly volumeCents: bigint
}

interface RecipientPage {
  readonly recipients: RecipientSummary[]
  readonly total: number
  /** Only with a text: how many recipients of the filter may match too, as their names were not opened. */
  readonly unsearched?: number
}

/** A page of the organization's recipients, newest first. Two statements, with a text five. */
export async function listRecipients(
  parts: Pick<RampParts, 'db' | 'fields'>,
  organizationId: number,
  filter: RecipientFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<RecipientPage> {
  const { db, fields } = parts
  let matching = db
    .selectFrom('ramp_customers')
    .where('ramp_customers.organization_id', '=', organizationId)
    .where('ramp_customers.kind', '=', 'recipient')
    .where('ramp_customers.archived_at', filter.archived ? 'is not' : 'is', null)
  if (filter.kybStatus) matching = matching.where('ramp_customers.kyb_status', '=', filter.kybStatus)
  const { text } = filter
  const matches = text === undefined ? undefined : await matchRecipients(parts, matching, { organizationId, text })
  if (matches) {
    const ids = matches.found.map(({ row }) => row.id)
    matching = matching.where(sql<boolean>`ramp_customers.id = any(${ids}::bigint[])`)
  }
  const { total } = await matching.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll('ramp_customers')
    .select(counters)
    .orderBy('ramp_customers.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return {
    recipients: rows.map((row) => recipientSummaryFrom(fields, row)),
    total,
    ...(matches && { unsearched: matches.unsearched }),
  }
}

/** One recipient with the data of the list. Error: RECIPIENT_NOT_FOUND. */
export async function getRecipient(
  { db, fields }: Pick<RampParts, 'fields'> & { readonly db: Database },
  organizationId: number,
  customerId: number,
): Promise<RecipientSummary> {
  const row = await db
    .selectFrom('ramp_customers')
    .selectAll('ramp_customers')
    .select(counters)
    .where('ramp_customers.organization_id', '=', organizationId)
    .where('ramp_customers.id', '=', customerId)
    .where('ramp_customers.kind', '=', 'recipient')
    .executeTakeFirst()
  if (!row) throw new Failure('RECIPIENT_NOT_FOUND')
  return recipientSummaryFrom(fields, row)
}

const counters = (of: ExpressionBuilder<Schema, 'ramp_customers'>) => {
  const accounts = (direction: 'onramp' | 'offramp') =>
    of
      .selectFrom('ramp_accounts')
      .select(({ fn }) => fn.countAll<number>().as('amount'))
      .whereRef('ramp_accounts.organization_id', '=', 'ramp_customers.organization_id')
      .whereRef('ramp_accounts.customer_id', '=', 'ramp_customers.id')
      .where('ramp_accounts.direction', '=', direction)
  const transactions = of
    .selectFrom('ramp_transactions')
    .whereRef('ramp_transactions.organization_id', '=', 'ramp_customers.organization_id')
    .whereRef('ramp_transactions.customer_id', '=', 'ramp_customers.id')
  return [
    accounts('onramp').as('onramp_accounts'),
    accounts('offramp').as('offramp_accounts'),
    transactions.select(({ fn }) => fn.countAll<number>().as('amount')).as('transactions'),
    transactions
      .where('ramp_transactions.status', '=', 'completed')
      .select(sql<bigint>`coalesce(sum(ramp_transactions.usd_cents), 0)`.as('amount'))
      .as('volume_cents'),
  ] as const
}

interface RecipientCounters {
  readonly onramp_accounts: number | null
  readonly offramp_accounts: number | null
  readonly transactions: number | null
  readonly volume_cents: bigint | null
}

function recipientSummaryFrom(
  fields: FieldSealer,
  row: Selectable<Schema['ramp_customers']> & RecipientCounters,
): RecipientSummary {
  return {
    ...customerFrom(fields, row),
    onrampAccounts: row.onramp_accounts ?? 0,
    offrampAccounts: row.offramp_accounts ?? 0,
    transactions: row.transactions ?? 0,
    volumeCents: row.volume_cents ?? 0n,
  }
}
