import { validationError } from '../../kernel/index.ts'
import type { AccountRequest, BankDetails, PostalAddress } from '../provider/port.ts'
import { BridgeApiError } from './client.ts'
import { alpha3 } from './countries.ts'
import { createOnce } from './create-once.ts'
import { type BridgeJson, objectOf, textOf } from './json-fields.ts'
import type { BridgeAccountParts } from './virtual-account.ts'

/** Length limits of a beneficiary's name at banks. */
const HOLDER_NAME_LENGTH = { min: 3, max: 35 }

/**
 * Returns the partner's id of a payout bank account, creating it if needed; one per customer and account. Errors:
 * VALIDATION_ERROR, RAMP_UNAVAILABLE; a {@link BridgeApiError}.
 */
export async function ensureExternalAccount(
  parts: BridgeAccountParts,
  customer: string,
  { organizationId, customerAddress, bank }: AccountRequest & { readonly bank: BankDetails },
): Promise<string> {
  const { length } = bank.holderName
  if (length < HOLDER_NAME_LENGTH.min || length > HOLDER_NAME_LENGTH.max) {
    throw validationError(
      'bank_details.account_holder_name',
      `must have ${HOLDER_NAME_LENGTH.min} to ${HOLDER_NAME_LENGTH.max} characters`,
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
        const existing = reference === null ? undefined : await parts.client.get(`${path}/${reference}`)
        return existing?.active === false ? undefined : existing
      },
      create: (key) => create(parts, path, bodyOf(bank, customerAddress ?? null), key),
    },
  )
  return textOf(account, 'id') ?? ''
}

async function create(
  { client }: BridgeAccountParts,
  path: string,
  body: BridgeJson,
  key: string,
): Promise<BridgeJson> {
  try {
    return await client.post(path, body, key)
  } catch (error) {
    // The account already exists, and the error has its id: a response was lost, or someone else added the account.
    const id =
      error instanceof BridgeApiError && error.code === 'duplicate_external_account' ? idIn(error.body) : undefined
    const existing = id === undefined ? undefined : await client.get(`${path}/${id}`)
    if (existing) return existing
    throw error
  }
}

const idIn = (body: BridgeJson): string | undefined => textOf(body, 'id') ?? textOf(objectOf(body, 'details'), 'id')

function bodyOf(bank: BankDetails, address: PostalAddress | null): BridgeJson {
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
