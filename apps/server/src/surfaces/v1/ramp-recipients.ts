import type { FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Tx } from '../../database/index.ts'
import { EXTERNAL_ID_LENGTH_MAX, NAME_LENGTH_MAX } from '../../kernel/index.ts'
import {
  archiveRecipient,
  type Customer,
  changeRecipient,
  createRecipient,
  dollars,
  getRecipient,
  type ListedRecipient,
  listAccounts,
  listRecipients,
  masked,
  type PostalAddress,
  type RampAccount,
  type RampParts,
  simulateKyb,
} from '../../ramp/index.ts'
import { type App, finishWith, id, idParams, perPageQuery, windowOf } from '../http/index.ts'
import { dateTime, orNull, wordFilter } from './common.ts'
import { absolute } from './ramp-kyb.ts'
import { KYB_STATUSES, kybStatus, Pagination, reads, usd, writes } from './ramp-schemas.ts'

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
const addressAsked = Type.Object({ ...addressFields, country: Type.Optional(country) }, about)
const wholeAddress = (asked: Static<typeof addressAsked>): PostalAddress => ({
  ...asked,
  country: asked.country ?? 'US',
})
const name = line('Name of the recipient.')
const externalId = Type.String({
  minLength: 1,
  maxLength: EXTERNAL_ID_LENGTH_MAX,
  description: 'Your own id of it; unique in your organization.',
})

const created = {
  id: id('Recipient id.'),
  name,
  type: Type.String({ description: 'What it is; `business` unless you said otherwise.' }),
  external_id: orNull(externalId),
  kyb_status: kybStatus,
  kyb_url: Type.String({ description: 'Page where the recipient fills in its form.' }),
  created_at: dateTime('When it was created.'),
}
const listed = {
  ...created,
  onramp_account_count: Type.Integer({ description: 'On-ramp accounts, archived ones included.' }),
  offramp_account_count: Type.Integer({ description: 'Off-ramp accounts, archived ones included.' }),
  total_volume_usd: usd('What its completed transactions moved.'),
  transaction_count: Type.Integer({ description: 'Its transactions, whatever became of them.' }),
}
const Recipient = Type.Object(created, { $id: 'Recipient', description: 'Whoever is paid, or pays, through you.' })
const ListedRecipientRecord = Type.Object(listed, { $id: 'ListedRecipient', description: 'A recipient in a list.' })
const RecipientDetail = Type.Object(
  {
    ...listed,
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

/** Recipients (specification 4.7, decisions 11). */
export function rampRecipientRoutes(app: App, parts: RampParts, publicUrl: string): void {
  const tags = ['Ramp: recipients']
  const params = idParams('Recipient id.')
  const present = (customer: Customer) => ({
    id: customer.customerId,
    name: customer.name,
    type: customer.type,
    external_id: customer.externalId,
    kyb_status: customer.kybStatus ?? ('pending' as const),
    kyb_url: absolute(customer.kybLink ?? '', publicUrl),
    created_at: customer.createdAt.toISOString(),
  })
  const presentListed = (recipient: ListedRecipient) => ({
    ...present(recipient),
    onramp_account_count: recipient.onrampAccounts,
    offramp_account_count: recipient.offrampAccounts,
    total_volume_usd: dollars(recipient.volumeCents),
    transaction_count: recipient.transactions,
  })
  const presentBank = (account: RampAccount) => ({
    id: account.accountId,
    type: account.direction,
    bank_name: account.bankName,
    routing_number: account.routingNumber,
    account_number: masked(account.accountNumber),
    status: account.status,
  })
  const detailOf = async (organizationId: number, customerId: number, db: RampParts['db'] = parts.db) => {
    const recipient = await getRecipient({ db }, organizationId, customerId)
    const { accounts } = await listAccounts({ ...parts, db }, organizationId, { customerId })
    return {
      ...presentListed(recipient),
      address: recipient.address && { ...recipient.address },
      bank_accounts: accounts.map(presentBank),
      archived_at: recipient.archivedAt?.toISOString() ?? null,
    }
  }

  /** Keeps the answer of an idempotent request with its effect, and gives it back. */
  const finishing = (request: FastifyRequest) => {
    let body: Awaited<ReturnType<typeof detailOf>> | undefined
    return {
      finish: async (tx: Tx, { organizationId, customerId }: Customer) => {
        body = await detailOf(organizationId, customerId, tx)
        await request.record?.commit(tx, 200, body)
      },
      body: () => body!,
    }
  }

  app.post(
    '/v1/ramp/recipients',
    {
      config: { ...writes, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'createRecipient',
        summary: 'Create a recipient',
        description:
          'Its verification begins at once: it fills in the form at `kyb_url`. Errors: CONFLICT when another recipient has that external id; RAMP_UNAVAILABLE.',
        body: Type.Object({
          name,
          type: Type.String({ minLength: 1, maxLength: 50, default: 'business', description: 'What it is.' }),
          external_id: Type.Optional(orNull(externalId)),
          address: Type.Optional(orNull(addressAsked)),
        }),
        response: { 201: Recipient },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const { body } = request
      const wanted = {
        organizationId,
        ...body,
        externalId: body.external_id ?? null,
        address: body.address ? wholeAddress(body.address) : null,
      }
      const recipient = await createRecipient(parts, wanted, finishWith(request, 201, present))
      return reply.code(201).send(present(recipient))
    },
  )

  app.get(
    '/v1/ramp/recipients',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listRecipients',
        summary: 'List recipients',
        description: 'Newest first; archived ones only with `archived=true`.',
        querystring: Type.Object({
          ...perPageQuery,
          kyb_status: Type.Optional(Type.String({ description: `One of ${KYB_STATUSES.join(', ')}.` })),
          archived: Type.Optional(
            Type.Boolean({ description: 'true: those that are archived; else those that are not.' }),
          ),
        }),
        response: {
          200: Type.Object(
            { data: Type.Array(ListedRecipientRecord, { description: 'Newest first.' }), pagination: Pagination },
            { $id: 'RecipientList', description: 'A page of recipients.' },
          ),
        },
      },
    },
    async ({ query, credential: { organizationId } }) => {
      const filter = { kybStatus: wordFilter('kyb_status', query.kyb_status, KYB_STATUSES), archived: query.archived }
      const { recipients, total } = await listRecipients(parts, organizationId, filter, windowOf(query))
      return {
        data: recipients.map(presentListed),
        pagination: { page: query.page, per_page: query.per_page, total },
      }
    },
  )

  app.get(
    '/v1/ramp/recipients/:id',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'getRecipient',
        summary: 'Get a recipient',
        description: 'Error: RECIPIENT_NOT_FOUND.',
        params,
        response: { 200: RecipientDetail },
      },
    },
    async ({ params: { id: customerId }, credential }) => detailOf(credential.organizationId, customerId),
  )

  app.patch(
    '/v1/ramp/recipients/:id',
    {
      config: writes,
      schema: {
        tags,
        operationId: 'changeRecipient',
        summary: 'Change a recipient',
        description:
          'What is left out stays; null clears it; an address is replaced whole. Errors: RECIPIENT_NOT_FOUND; CONFLICT when another recipient has that external id.',
        params,
        body: Type.Object({
          name: Type.Optional(name),
          external_id: Type.Optional(orNull(externalId)),
          address: Type.Optional(orNull(addressAsked)),
        }),
        response: { 200: RecipientDetail },
      },
    },
    async ({ params: { id: customerId }, body, credential: { organizationId } }) => {
      const change = {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.external_id !== undefined && { externalId: body.external_id }),
        ...(body.address !== undefined && { address: body.address && wholeAddress(body.address) }),
      }
      await changeRecipient(parts, { organizationId, customerId }, change)
      return detailOf(organizationId, customerId)
    },
  )

  app.post(
    '/v1/ramp/recipients/:id/archive',
    {
      config: { ...writes, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'archiveRecipient',
        summary: 'Archive a recipient',
        description:
          'For good; doing it again changes nothing. It gets no new accounts and no simulations, and tokens that still arrive at its deposit addresses are returned. Error: RECIPIENT_NOT_FOUND.',
        params,
        response: { 200: RecipientDetail },
      },
    },
    async (request) => {
      const { organizationId } = request.credential
      const { finish, body } = finishing(request)
      await archiveRecipient(parts, { organizationId, customerId: request.params.id }, finish)
      return body()
    },
  )

  for (const [word, status] of [
    ['approve', 'approved'],
    ['reject', 'declined'],
  ] as const) {
    app.post(
      `/v1/ramp/recipients/:id/kyb/simulate-${word}`,
      {
        config: { ...writes, idempotent: 'plain' },
        schema: {
          tags,
          operationId: `simulate${word === 'approve' ? 'Approval' : 'Rejection'}OfRecipient`,
          summary: `Sandbox: ${word} the verification of a recipient`,
          description:
            'In the place of the provider, from pending or submitted. Errors: SANDBOX_ONLY in live; RECIPIENT_NOT_FOUND; RECIPIENT_ARCHIVED; CONFLICT once it is decided.',
          params,
          response: { 200: RecipientDetail },
        },
      },
      async (request) => {
        const { organizationId } = request.credential
        const { finish, body } = finishing(request)
        await simulateKyb(parts, { organizationId, recipientId: request.params.id, status }, finish)
        return body()
      },
    )
  }
}
