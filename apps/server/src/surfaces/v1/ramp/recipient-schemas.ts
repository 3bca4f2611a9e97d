import Type, { type Static } from 'typebox'
import { EXTERNAL_ID_LENGTH_MAX, NAME_LENGTH_MAX } from '../../../kernel/index.ts'
import type { PostalAddress } from '../../../ramp/index.ts'
import { id } from '../../http/index.ts'
import { dateTime, orNull } from '../schemas.ts'
import { kybStatus, usd } from './schemas.ts'

const line = (description: string) => Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description })

const addressFields = {
  street1: line('Street and number.'),
  street2: Type.Optional(line('Second address line.')),
  city: line('City.'),
  region: Type.Optional(line('State or region.')),
  postal_code: Type.Optional(line('Postal code.')),
}
const country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'ISO 3166 two-letter country code. Defaults to US.',
})
const about = { description: 'Postal address; required to open off-ramp accounts.' }
const address = Type.Object({ ...addressFields, country }, about)
/** Without the default country, because schema defaults do not apply within a union. */
export const addressInput = Type.Object({ ...addressFields, country: Type.Optional(country) }, about)
/** The address with its default country, and nothing else that was sent with it. */
export function completeAddress(input: Static<typeof addressInput>): PostalAddress {
  const { street1, street2, city, region, postal_code, country: sent = 'US' } = input
  return {
    street1,
    ...(street2 !== undefined && { street2 }),
    city,
    ...(region !== undefined && { region }),
    ...(postal_code !== undefined && { postal_code }),
    country: sent,
  }
}
export const name = line('Name of the recipient.')
export const externalId = Type.String({
  minLength: 1,
  maxLength: EXTERNAL_ID_LENGTH_MAX,
  description: 'Your own id for the recipient; unique in your organization.',
})

const createdFields = {
  id: id('Recipient id.'),
  name,
  type: Type.String({ description: 'Type of recipient; `business` by default.' }),
  external_id: orNull(externalId),
  kyb_status: kybStatus,
  kyb_url: Type.String({ description: 'URL of the verification form for the recipient.' }),
  created_at: dateTime('When it was created.'),
}
const listedFields = {
  ...createdFields,
  onramp_account_count: Type.Integer({ description: 'On-ramp accounts, archived ones included.' }),
  offramp_account_count: Type.Integer({ description: 'Off-ramp accounts, archived ones included.' }),
  total_volume_usd: usd('Volume of its completed transactions.'),
  transaction_count: Type.Integer({ description: 'Number of its transactions, in any status.' }),
}
export const Recipient = Type.Object(createdFields, {
  $id: 'Recipient',
  description: 'A person or business that you pay or that pays you.',
})
export const ListedRecipientRecord = Type.Object(listedFields, {
  $id: 'ListedRecipient',
  description: 'A recipient in a list.',
})
export const RecipientDetail = Type.Object(
  {
    ...listedFields,
    address: orNull(address),
    bank_accounts: Type.Array(
      Type.Object({
        id: id('Account id.'),
        type: Type.Enum(['onramp', 'offramp'], {
          description: 'onramp: receives payments. offramp: receives payouts.',
        }),
        bank_name: Type.String({ description: 'Name of the bank.' }),
        routing_number: Type.String({ description: 'ABA routing number.' }),
        account_number: Type.String({ description: 'Last four digits: `****1234`.' }),
        status: Type.Enum(['active', 'archived'], { description: 'archived: its recipient was archived.' }),
      }),
      { description: 'On-ramp and off-ramp bank accounts, newest first.' },
    ),
    archived_at: orNull(dateTime('When it was archived.')),
  },
  { $id: 'RecipientDetail', description: 'A recipient with its address and bank accounts.' },
)
