import { invalid } from '../../kernel/index.ts'
import type { PostalAddress } from '../customer.ts'
import type { AccountWish, BankDetails } from '../port.ts'
import { Refusal } from './client.ts'
import { alpha3 } from './countries.ts'
import { type Json, partOf, textOf } from './fields.ts'
import { carryOut } from './intents.ts'
import type { AccountParts } from './virtual-account.ts'

/** A beneficiary's name, as banks take it. */
const NAME = { least: 3, most: 35 }

/**
 * The bank account that is paid out to, as the partner knows it; one for each customer and account. Errors:
 * VALIDATION_ERROR, RAMP_UNAVAILABLE; a {@link Refusal}.
 */
export async function externalAccount(
  parts: AccountParts,
  customer: string,
  { organizationId, customerAddress, bank }: AccountWish & { readonly bank: BankDetails },
): Promise<string> {
  const { length } = bank.holderName
  if (length < NAME.least || length > NAME.most) {
    throw invalid('bank_details.account_holder_name', `must have ${NAME.least} to ${NAME.most} characters`)
  }
  const path = `/customers/${customer}/external_accounts`
  const account = await carryOut(
    parts,
    {
      organizationId,
      kind: 'external_account',
      asked: [customer, bank.routingNumber, bank.accountNumber, bank.accountType, bank.holderName, bank.bankName],
      isShared: true,
    },
    {
      async look(reference) {
        const known = reference === null ? undefined : await parts.client.get(`${path}/${reference}`)
        return known?.active === false ? undefined : known
      },
      create: (key) => create(parts, path, bodyOf(bank, customerAddress ?? null), key),
    },
  )
  return textOf(account, 'id') ?? ''
}

async function create({ client }: AccountParts, path: string, body: Json, key: string): Promise<Json> {
  try {
    return await client.post(path, body, key)
  } catch (error) {
    // The partner knows this account of the customer, and says as which: an answer was lost, or somebody else added it.
    const id = error instanceof Refusal && error.code === 'duplicate_external_account' ? idIn(error.body) : undefined
    const existing = id === undefined ? undefined : await client.get(`${path}/${id}`)
    if (existing) return existing
    throw error
  }
}

const idIn = (body: Json): string | undefined => textOf(body, 'id') ?? textOf(partOf(body, 'details'), 'id')

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
