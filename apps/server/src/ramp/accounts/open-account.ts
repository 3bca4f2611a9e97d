import { sql } from 'kysely'
import { type Blockchain, type Network, requireAddress } from '../../chains/index.ts'
import { type RampDirection, type RampRail, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { requireDestination } from '../../destinations/index.ts'
import { type Actor, creatorColumns, holdQuotaPlaces, type Scope } from '../../identity/index.ts'
import { Failure, validationError } from '../../kernel/index.ts'
import { selectWallets, type Wallet, walletFrom } from '../../wallets/index.ts'
import {
  type Customer,
  type CustomerParts,
  findOrganizationCustomer,
  findRecipient,
  requireApproved,
} from '../customers/customer.ts'
import { requireReadable } from '../customers/customer-fields.ts'
import type { RampParts } from '../parts.ts'
import type { BankDetails } from '../provider/port.ts'
import { findAccount, type RampAccount, sealAccountNumber, sealedBankColumns } from './account.ts'
import { rampAccountUse } from './account-use.ts'
import { isRoutingNumber } from './routing-number.ts'

/** Selects a wallet by id, or by address and chain. An address or chain sent with an id must match the wallet. */
export type WalletSelector =
  | { readonly walletId: number; readonly address?: string | undefined; readonly blockchain?: Blockchain | undefined }
  | { readonly walletId?: undefined; readonly address: string; readonly blockchain: Blockchain }

export interface OpenAccountInput {
  readonly scope: Scope
  /** Null: the organization itself. */
  readonly recipientId: number | null
  readonly wallet: WalletSelector
  readonly asset: string
  readonly rail: RampRail
  /** Who opens it. */
  readonly createdBy?: Actor
}

/** The provider's account data, as columns. */
interface ProviderAccountColumns {
  readonly provider_reference: string
  readonly capabilities: RampRail[]
  readonly account_type?: string
  readonly deposit_address?: string
  /** Stored sealed. */
  readonly bank: {
    readonly accountNumber: string
    readonly routingNumber: string
    readonly bankName: string
    readonly accountHolder: string | null
  }
}

/**
 * Opens a bank account whose payments arrive as tokens in a wallet (spec 4.7).
 *
 * Errors, in this order: RECIPIENT_NOT_FOUND, RECIPIENT_ARCHIVED, KYB_NOT_APPROVED, INVALID_ADDRESS, WALLET_NOT_FOUND,
 * VALIDATION_ERROR (id and address refer to different wallets), FORBIDDEN (the wallet's address is not on an enforced
 * allow-list), ASSET_NOT_SUPPORTED, CONFLICT (the quota), RAMP_UNAVAILABLE.
 */
export async function openOnrampAccount(
  parts: RampParts,
  input: OpenAccountInput,
  transact: Transact<RampAccount> = transactOn(parts.db),
): Promise<RampAccount> {
  const checked = await checkRequest(parts, input, 'onramp')
  const open = async (): Promise<ProviderAccountColumns> => {
    const { reference, capabilities, ...bank } = await parts.provider.openOnrampAccount(checked.request)
    return { provider_reference: reference, capabilities: [...capabilities], bank: { ...bank, accountHolder: null } }
  }
  return openAccount(parts, { input, checked, open }, transact)
}

/**
 * Opens a deposit address whose tokens are paid out to a bank account. Errors: those of {@link openOnrampAccount};
 * RECIPIENT_ADDRESS_REQUIRED after KYB_NOT_APPROVED, and VALIDATION_ERROR for an invalid routing number or a wallet at a
 * deposit address of the organization.
 */
export async function openOfframpAccount(
  parts: RampParts,
  input: OpenAccountInput & { readonly bank: BankDetails },
  transact: Transact<RampAccount> = transactOn(parts.db),
): Promise<RampAccount> {
  const { bank } = input
  if (!isRoutingNumber(bank.routingNumber)) {
    throw validationError(
      'bank_details.routing_number',
      'must be a valid routing number: the check digit does not match',
    )
  }
  const checked = await checkRequest(parts, input, 'offramp')
  const open = async (): Promise<ProviderAccountColumns> => {
    const { reference, depositAddress } = await parts.provider.openOfframpAccount({ ...checked.request, bank })
    return {
      provider_reference: reference,
      capabilities: [input.rail],
      account_type: bank.accountType,
      deposit_address: depositAddress,
      bank: { ...bank, accountHolder: bank.holderName },
    }
  }
  return openAccount(parts, { input, checked, open }, transact)
}

type CheckedRequest = Awaited<ReturnType<typeof checkRequest>>

/** Checks an input and builds the provider request. The account id is never reused, even if the request fails. */
async function checkRequest(parts: RampParts, input: OpenAccountInput, direction: RampDirection) {
  const { organizationId } = input.scope
  const customer = await customerOf(parts, input)
  requireApproved(customer)
  requireReadable(customer, ['name', 'address'])
  if (direction === 'offramp' && customer.kind === 'recipient' && !customer.address) {
    throw new Failure('RECIPIENT_ADDRESS_REQUIRED')
  }
  const wallet = await walletOf(parts, input)
  await requireDestination(parts.db, organizationId, wallet)
  if (direction === 'offramp') await requireNoDepositAddress(parts, wallet)
  const token = tokenOf(parts.chains.get(wallet.blockchain)?.network, input.asset)
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('ramp_accounts', 'id')) as id
  `.execute(parts.db)
  const accountId = rows[0]!.id
  const request = {
    accountId,
    organizationId,
    kybReference: customer.kybReference,
    customerName: customer.name,
    customerAddress: customer.address,
    blockchain: wallet.blockchain,
    asset: token.symbol,
    walletAddress: wallet.address,
    rail: input.rail,
  }
  return { customer, wallet, token, direction, accountId, request }
}

function customerOf(parts: CustomerParts, { scope, recipientId }: OpenAccountInput): Promise<Customer | undefined> {
  if (recipientId === null) return findOrganizationCustomer(parts, scope.organizationId)
  return findRecipient(parts, scope.organizationId, recipientId)
}

async function walletOf({ db }: RampParts, { scope, wallet: selector }: OpenAccountInput): Promise<Wallet> {
  const { walletId } = selector
  const filter =
    walletId === undefined
      ? { blockchain: selector.blockchain, address: [requireAddress(selector.blockchain, selector.address)] }
      : { walletId }
  const row = await selectWallets(db, scope, filter).selectAll('wallets').executeTakeFirst()
  if (!row) throw new Failure('WALLET_NOT_FOUND')
  const wallet = walletFrom(row)
  const { blockchain = wallet.blockchain, address = wallet.address } = selector
  if (blockchain !== wallet.blockchain)
    throw validationError('blockchain', 'must be the blockchain of the wallet with the id')
  if (requireAddress(blockchain as Blockchain, address) !== wallet.address) {
    throw validationError('wallet_address', 'must be the address of the wallet with the id')
  }
  return wallet
}

/** What is not paid out returns to the wallet: another deposit address would not keep it. */
async function requireNoDepositAddress({ db }: RampParts, wallet: Wallet): Promise<void> {
  const account = await db
    .selectFrom('ramp_accounts')
    .select('id')
    .where('organization_id', '=', wallet.organizationId)
    .where('blockchain', '=', wallet.blockchain)
    .where('deposit_address', '=', wallet.address)
    .executeTakeFirst()
  if (account) throw validationError('org_wallet_id', 'must not be a wallet at the deposit address of an account')
}

function tokenOf(network: Network | undefined, asset: string) {
  const token = network?.tokens.find(({ symbol }) => symbol.toUpperCase() === asset.toUpperCase())
  if (!token)
    throw new Failure('ASSET_NOT_SUPPORTED', { message: `${asset.slice(0, 32)} is not supported on this blockchain.` })
  return token
}

interface RequestedAccount {
  readonly input: OpenAccountInput
  readonly checked: CheckedRequest
}

/** Holds a place in the quota while `open` calls the provider, then stores the account in it. */
async function openAccount(
  parts: RampParts,
  { open, ...requested }: RequestedAccount & { open(): Promise<ProviderAccountColumns> },
  transact: Transact<RampAccount>,
): Promise<RampAccount> {
  const { organizationId } = requested.input.scope
  const places = [{ organizationId, quota: 'rampAccounts', use: rampAccountUse }] as const
  return holdQuotaPlaces(parts, { key: `account-${requested.checked.accountId}`, places }, async (consume) => {
    const opened = await open()
    return transact(async (tx) => {
      await consume(tx)
      return storeAccount(tx, parts, requested, opened)
    })
  })
}

async function storeAccount(
  tx: Tx,
  parts: RampParts,
  { input, checked: { customer, wallet, token, direction, accountId } }: RequestedAccount,
  { bank, ...opened }: ProviderAccountColumns,
): Promise<RampAccount> {
  const { organizationId } = input.scope
  // Checked again under the lock: a customer that was archived or declined meanwhile gets no account.
  await tx
    .selectFrom('ramp_customers')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', customer.customerId)
    .forUpdate()
    .execute()
  requireApproved(await customerOf({ ...parts, db: tx }, input))
  await requireDestination(tx, organizationId, wallet)
  await tx
    .insertInto('ramp_accounts')
    .values({
      organization_id: organizationId,
      id: accountId,
      direction,
      customer_id: customer.customerId,
      wallet_id: wallet.walletId,
      blockchain: wallet.blockchain,
      asset: token.symbol,
      token_address: token.address,
      rail: input.rail,
      status: 'active',
      created_at: parts.clock.now(),
      ...creatorColumns(input.createdBy),
      ...opened,
      ...sealAccountNumber(parts.sealer, { organizationId, accountId }, bank.accountNumber),
      ...sealedBankColumns(parts.fields, { organizationId, id: accountId }, bank),
    })
    .execute()
  return findAccount({ ...parts, db: tx }, organizationId, accountId, direction)
}
