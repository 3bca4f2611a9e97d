import Type, { type Static } from 'typebox'
import { EXTERNAL_ID_LENGTH_MAX, NAME_LENGTH_MAX } from '../../../kernel/index.ts'
import type { PostalAddress } from '../../../ramp/index.ts'
import { id } from '../../http/index.ts'
import { dateTime, orNull } from '../schemas.ts'
import { kybStatus, usd } from './schemas.ts'

const line = (description: string) => Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description })

const addressFields = {
  street1: line('Street and number.'),
  street2: Type.Optional(line('Second line.')),
  city: line('City.'),
  region: Type.Optional(line('State or region.')),
  postal_code: Type.Optional(line('Postal code.')),
}
const country = Type.String({
  pattern: '^[A-Z]{2}$',
  description: 'Two letters of ISO 3166; US unless you say otherwise.',
})
const about = { description: 'Postal address; needed before off-ramp accounts are opened.' }
const address = Type.Object({ ...addressFields, country }, about)
/** What stands in a union gets no defaults from the schema. */
export const addressInput = Type.Object({ ...addressFields, country: Type.Optional(country) }, about)
export const completeAddress = (asked: Static<typeof addressInput>): PostalAddress => ({
  ...asked,
  country: asked.country ?? 'US',
})
export const name = line('Name of the recipient.')
export const externalId = Type.String({
  minLength: 1,
  maxLength: EXTERNAL_ID_LENGTH_MAX,
  description: 'Your own id of it; unique in your organization.',
})

const createdFields = {
  id: id('Recipient id.'),
  name,
  type: Type.String({ description: 'What it is; `business` unless you said otherwise.' }),
  external_id: orNull(externalId),
  kyb_status: kybStatus,
  kyb_url: Type.String({ description: 'Page where the recipient fills in its form.' }),
  created_at: dateTime('When it was created.'),
}
const listedFields = {
  ...createdFields,
  onramp_account_count: Type.Integer({ description: 'On-ramp accounts, archived ones included.' }),
  offramp_account_count: Type.Integer({ description: 'Off-ramp accounts, archived ones included.' }),
  total_volume_usd: usd('What its completed transactions moved.'),
  transaction_count: Type.Integer({ description: 'Its transactions, whatever became of them.' }),
}
export const Recipient = Type.Object(createdFields, {
  $id: 'Recipient',
  description: 'Whoever is paid, or pays, through you.',
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
        type: Type.Enum(['onramp', 'offramp'], { description: 'Whether money comes in by it or goes out to it.' }),
        bank_name: Type.String({ description: 'Bank.' }),
        routing_number: Type.String({ description: 'ABA routing number.' }),
        account_number: Type.String({ description: 'Last four digits: `****1234`.' }),
        status: Type.Enum(['active', 'archived'], { description: 'archived: with its recipient.' }),
      }),
      { description: 'Its bank accounts on both sides, newest first.' },
    ),
    archived_at: orNull(dateTime('When it was archived.')),
  },
  { $id: 'RecipientDetail', description: 'A recipient with its address and bank accounts.' },
)
