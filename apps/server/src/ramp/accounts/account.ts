import { type Selectable, sql } from 'kysely'
import type { Database, RampDirection, RampRail, Schema, Tx } from '../../database/index.ts'
import { Failure, openIfReadable, type Sealer, UNREADABLE } from '../../kernel/index.ts'
import type { RampParts } from '../parts.ts'
import type { FieldOwner, FieldSealer, SealedField, StoredField } from '../sealing/sealed-fields.ts'

/** An account on either side: a bank account that delivers tokens, or a deposit address that pays out. */
export interface RampAccount {
  readonly organizationId: number
  readonly accountId: number
  readonly direction: RampDirection
  readonly customerId: number
  readonly wallet: {
    readonly walletId: number
    readonly label: string | null
    readonly address: string
    readonly blockchain: string
  }
  readonly asset: string
  readonly tokenAddress: string
  readonly rail: RampRail
  readonly capabilities: readonly RampRail[]
  readonly status: 'active' | 'archived'
  readonly providerReference: string
  readonly bankName: string
  readonly routingNumber: string
  /** The full number; presenters show the masked one where required (contract 11). `[unreadable]`: it does not open. */
  readonly accountNumber: string
  /** Only the last four digits: `****1234`. */
  readonly maskedNumber: string
  readonly accountType: string | null
  readonly accountHolder: string | null
  readonly depositAddress: string | null
  readonly createdAt: Date
}

type AccountRow = Selectable<Schema['ramp_accounts']> & {
  readonly wallet_label: string | null
  readonly wallet_address: string
}

/** Binds a sealed number to its account: a number copied into another account's row cannot be opened. */
export const labelOfAccountNumber = (organizationId: number, accountId: number): string =>
  `ramp account ${organizationId}/${accountId}`

export function sealAccountNumber(
  sealer: Sealer,
  account: { organizationId: number; accountId: number },
  accountNumber: string,
): { account_number: Buffer; account_number_last4: string } {
  const sealed = sealer.seal(accountNumber, labelOfAccountNumber(account.organizationId, account.accountId))
  return { account_number: sealed, account_number_last4: accountNumber.slice(-4) }
}

/** The columns of an account's bank details: sealed, with empty plain-text columns. */
export function sealedBankColumns(
  fields: FieldSealer,
  owner: FieldOwner,
  bank: { readonly bankName: string; readonly routingNumber: string; readonly accountHolder: string | null },
) {
  const { bankName, routingNumber, accountHolder } = bank
  return {
    bank_name: '',
    sealed_bank_name: fields.seal('sealed_bank_name', owner, bankName),
    routing_number: '',
    sealed_routing_number: fields.seal('sealed_routing_number', owner, routingNumber),
    account_holder: null,
    sealed_account_holder: accountHolder === null ? null : fields.seal('sealed_account_holder', owner, accountHolder),
  }
}

/** Bank details that do not open are `[unreadable]`: one damaged account must not hide the others. */
function accountFrom({ sealer, fields }: Pick<RampParts, 'sealer' | 'fields'>, row: AccountRow): RampAccount {
  const owner = { organizationId: row.organization_id, id: row.id }
  const read = (column: SealedField, stored: StoredField<string | null>): string | null => {
    const text = fields.read(column, owner, stored)
    return text === undefined ? UNREADABLE : text
  }
  return {
    organizationId: row.organization_id,
    accountId: row.id,
    direction: row.direction,
    customerId: row.customer_id,
    wallet: {
      walletId: row.wallet_id,
      label: row.wallet_label,
      address: row.wallet_address,
      blockchain: row.blockchain,
    },
    asset: row.asset,
    tokenAddress: row.token_address,
    rail: row.rail,
    capabilities: row.capabilities,
    status: row.status,
    providerReference: row.provider_reference,
    bankName: read('sealed_bank_name', { sealed: row.sealed_bank_name, clear: row.bank_name }) ?? '',
    routingNumber:
      read('sealed_routing_number', { sealed: row.sealed_routing_number, clear: row.routing_number }) ?? '',
    accountNumber: row.erased_at === null ? numberOf(sealer, row) : '',
    maskedNumber: `****${row.account_number_last4}`,
    accountType: row.account_type,
    accountHolder: read('sealed_account_holder', { sealed: row.sealed_account_holder, clear: row.account_holder }),
    depositAddress: row.deposit_address,
    createdAt: row.created_at,
  }
}

const numberOf = (sealer: Sealer, { account_number, organization_id, id }: AccountRow): string =>
  openIfReadable(sealer, account_number, labelOfAccountNumber(organization_id, id)) ?? UNREADABLE

function rowsOf(db: Database | Tx, organizationId: number) {
  return db
    .selectFrom('ramp_accounts')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'ramp_accounts.organization_id')
        .onRef('wallets.id', '=', 'ramp_accounts.wallet_id'),
    )
    .selectAll('ramp_accounts')
    .select(['wallets.label as wallet_label', 'wallets.address as wallet_address'])
    .where('ramp_accounts.organization_id', '=', organizationId)
}

type FindParts = Pick<RampParts, 'sealer' | 'fields'> & { readonly db: Database | Tx }

/** An account of the organization or of one of its recipients. Error: ACCOUNT_NOT_FOUND. */
export async function findAccount(
  { db, ...parts }: FindParts,
  organizationId: number,
  accountId: number,
  direction: RampDirection,
): Promise<RampAccount> {
  const row = await rowsOf(db, organizationId)
    .where('ramp_accounts.id', '=', accountId)
    .where('ramp_accounts.direction', '=', direction)
    .executeTakeFirst()
  if (!row) throw new Failure('ACCOUNT_NOT_FOUND')
  return accountFrom(parts, row)
}

export interface AccountFilter {
  /** Undefined: accounts of all customers. */
  readonly customerId?: number | undefined
  readonly direction?: RampDirection
}

/** Accounts that match, newest first; `limit: null` means all. Two statements. */
export async function listAccounts(
  { db, ...parts }: FindParts,
  organizationId: number,
  { customerId, direction }: AccountFilter,
  window: { readonly limit: number | null; readonly offset: number } = { limit: null, offset: 0 },
): Promise<{ accounts: RampAccount[]; total: number }> {
  let matching = rowsOf(db, organizationId)
  if (customerId !== undefined) matching = matching.where('ramp_accounts.customer_id', '=', customerId)
  if (direction !== undefined) matching = matching.where('ramp_accounts.direction', '=', direction)
  const { total } = await matching.clearSelect().select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  let page = matching.orderBy('ramp_accounts.id', 'desc').offset(window.offset)
  if (window.limit !== null) page = page.limit(window.limit)
  const rows = await page.execute()
  return { accounts: rows.map((row) => accountFrom(parts, row)), total }
}

/** The oldest active account: of one customer, or of any customer of the organization. */
export async function oldestAccount(
  { db, ...parts }: FindParts,
  organizationId: number,
  { customerId, direction }: AccountFilter & { readonly direction: RampDirection },
): Promise<RampAccount | undefined> {
  let matching = rowsOf(db, organizationId)
    .where('ramp_accounts.direction', '=', direction)
    .where('ramp_accounts.status', '=', 'active')
  if (customerId !== undefined) matching = matching.where('ramp_accounts.customer_id', '=', customerId)
  const row = await matching.orderBy('ramp_accounts.id').limit(1).executeTakeFirst()
  return row && accountFrom(parts, row)
}
