import { validationError } from '../../kernel/index.ts'
import type { PostalAddress } from '../customers/customer.ts'
import type { AccountRequest, BankDetails } from '../provider/port.ts'
import { BridgeApiError } from './client.ts'
import { alpha3 } from './countries.ts'
import { createOnce } from './create-once.ts'
import { type Json, objectOf, textOf } from './json-fields.ts'
import type { BridgeAccountParts } from './virtual-account.ts'

/** A beneficiary's name, as banks take it. */
const HOLDER_NAME_LENGTH = { least: 3, most: 35 }

/**
 * The bank account that is paid out to, as the partner knows it; one for each customer and account. Errors:
 * VALIDATION_ERROR, RAMP_UNAVAILABLE; a {@link BridgeApiError}.
 */
export async function ensureExternalAccount(
  parts: BridgeAccountParts,
  customer: string,
  { organizationId, customerAddress, bank }: AccountRequest & { readonly bank: BankDetails },
): Promise<string> {
  const { length } = bank.holderName
  if (length < HOLDER_NAME_LENGTH.least || length > HOLDER_NAME_LENGTH.most) {
    throw validationError(
      'bank_details.account_holder_name',
      `must have ${HOLDER_NAME_LENGTH.least} to ${HOLDER_NAME_LENGTH.most} characters`,
    )
  }
  const path = `/customers/${customer}/external_accounts`
  const account = await createOnce(
    parts,
    {
      organizationId,
      kind: 'external_account',
      parameters: [customer, bank.routingNumber, bank.accountNumber, bank.accountType, bank.holderName, bank.bankName],
      isShared: true,
    },
    {
      async find(reference) {
        const known = reference === null ? undefined : await parts.client.get(`${path}/${reference}`)
        return known?.active === false ? undefined : known
      },
      create: (key) => create(parts, path, bodyOf(bank, customerAddress ?? null), key),
    },
  )
  return textOf(account, 'id') ?? ''
}

async function create({ client }: BridgeAccountParts, path: string, body: Json, key: string): Promise<Json> {
  try {
    return await client.post(path, body, key)
  } catch (error) {
    // The partner knows this account of the customer, and says as which: an answer was lost, or somebody else added it.
    const id =
      error instanceof BridgeApiError && error.code === 'duplicate_external_account' ? idIn(error.body) : undefined
    const existing = id === undefined ? undefined : await client.get(`${path}/${id}`)
    if (existing) return existing
    throw error
  }
}

const idIn = (body: Json): string | undefined => textOf(body, 'id') ?? textOf(objectOf(body, 'details'), 'id')

function bodyOf(bank: BankDetails, address: PostalAddress | null): Json {
  return {
    currency: 'usd',
    account_type: 'us',
    account_owner_name: bank.holderName,
    bank_name: bank.bankName,
    account: {
      account_number: bank.accountNumber,
      routing_number: bank.routingNumber,
      checking_or_savings: bank.accountType,
    },
    ...(address && {
      address: {
        street_line_1: address.street1,
        ...(address.street2 !== undefined && { street_line_2: address.street2 }),
        city: address.city,
        ...(address.region !== undefined && { state: address.region }),
        ...(address.postal_code !== undefined && { postal_code: address.postal_code }),
        country: alpha3(address.country),
      },
    }),
  }
}
