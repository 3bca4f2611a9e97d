import Type from 'typebox'
import type { Tx } from '../../../database/index.ts'
import { actorOf } from '../../../identity/index.ts'
import { RECIPIENT_TYPE_LENGTH_MAX, SEARCH_NAMES_MAX } from '../../../kernel/index.ts'
import {
  archiveRecipient,
  type Customer,
  createRecipient,
  formatDollars,
  getRecipient,
  listAccounts,
  listRecipients,
  type RampAccount,
  type RampParts,
  type RecipientSummary,
  simulateKyb,
  updateRecipient,
} from '../../../ramp/index.ts'
import { type App, enumQuery, idParams, pageOf, perPageQuery, runVerb, searchText } from '../../http/index.ts'
import { enumFilter, orNull } from '../schemas.ts'
import { absoluteUrl } from './kyb.ts'
import {
  addressInput,
  completeAddress,
  externalId,
  ListedRecipientRecord,
  name,
  Recipient,
  RecipientDetail,
} from './recipient-schemas.ts'
import { requireSimulator } from './require-simulator.ts'
import { KYB_STATUSES, Pagination, reads, writes } from './schemas.ts'

const audit = { object: 'recipient' }

/** Recipients (spec 4.7, contract 11). */
export function rampRecipientRoutes(app: App, parts: RampParts, publicUrl: string): void {
  const tags = ['Ramp: recipients']
  const params = idParams('Recipient id.')
  const present = (customer: Customer) => ({
    id: customer.customerId,
    name: customer.name,
    type: customer.type,
    external_id: customer.externalId,
    kyb_status: customer.kybStatus,
    kyb_url: absoluteUrl(customer.kybLink, publicUrl),
    created_at: customer.createdAt.toISOString(),
  })
  const presentListed = (recipient: RecipientSummary) => ({
    ...present(recipient),
    onramp_account_count: recipient.onrampAccounts,
    offramp_account_count: recipient.offrampAccounts,
    total_volume_usd: formatDollars(recipient.volumeCents),
    transaction_count: recipient.transactions,
  })
  const presentBank = (account: RampAccount) => ({
    id: account.accountId,
    type: account.direction,
    bank_name: account.bankName,
    routing_number: account.routingNumber,
    account_number: account.maskedNumber,
    status: account.status,
  })
  const detailOf = async (organizationId: number, customerId: number, db: RampParts['db'] = parts.db) => {
    const recipient = await getRecipient({ ...parts, db }, organizationId, customerId)
    const { accounts } = await listAccounts({ ...parts, db }, organizationId, { customerId })
    return {
      ...presentListed(recipient),
      address: recipient.address && { ...recipient.address },
      bank_accounts: accounts.map(presentBank),
      archived_at: recipient.archivedAt?.toISOString() ?? null,
    }
  }

  const presentDetail = ({ organizationId, customerId }: Customer, tx?: Tx) => detailOf(organizationId, customerId, tx)

  app.post(
    '/v1/ramp/recipients',
    {
      config: { ...writes, idempotent: 'plain', audit, change: { kind: 'payout_accounts' } },
      schema: {
        tags,
        operationId: 'createRecipient',
        summary: 'Create a recipient',
        description:
          'Starts the verification of the recipient, who fills in the form at `kyb_url`. Errors: CONFLICT if another recipient has the same external id; RAMP_UNAVAILABLE.',
        body: Type.Object({
          name,
          type: Type.String({
            minLength: 1,
            maxLength: RECIPIENT_TYPE_LENGTH_MAX,
            default: 'business',
            description: 'Type of recipient.',
          }),
          external_id: Type.Optional(orNull(externalId)),
          address: Type.Optional(orNull(addressInput)),
        }),
        response: { 201: Recipient },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const { body } = request
      const input = {
        organizationId,
        createdBy: actorOf(request.credential),
        name: body.name,
        type: body.type,
        externalId: body.external_id ?? null,
        address: body.address ? completeAddress(body.address) : null,
      }
      return runVerb(reply, 201, present, (transact) => createRecipient(parts, input, transact))
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
        description: 'Newest first. Archived recipients are listed only with `archived=true`.',
        querystring: Type.Object({
          ...perPageQuery,
          kyb_status: Type.Optional(enumQuery(KYB_STATUSES, 'Only recipients with this status, case-insensitive.')),
          archived: Type.Optional(
            Type.Boolean({ description: 'true: only archived recipients. Default: only active recipients.' }),
          ),
          q: searchText(
            'Only the recipient with this id or external id, and those with a word of the name that begins with this text, case-insensitive.',
          ),
        }),
        response: {
          200: Type.Object(
            {
              data: Type.Array(ListedRecipientRecord, { description: 'Newest first.' }),
              pagination: Pagination,
              unsearched: Type.Optional(
                Type.Integer({
                  minimum: 0,
                  description: `Only with \`q\`: recipients whose names were not searched. Names are encrypted, and those of the newest ${SEARCH_NAMES_MAX} are opened; search the others by id or external id.`,
                }),
              ),
            },
            { $id: 'RecipientList', description: 'A page of recipients.' },
          ),
        },
      },
    },
    async ({ query, credential: { organizationId } }) => {
      const { archived, q: text } = query
      const filter = { kybStatus: enumFilter('kyb_status', query.kyb_status, KYB_STATUSES), archived, text }
      const { window, ...page } = pageOf(query)
      const { recipients, total, unsearched } = await listRecipients(parts, organizationId, filter, window)
      return {
        data: recipients.map(presentListed),
        pagination: { ...page, total },
        ...(unsearched !== undefined && { unsearched }),
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
      config: { ...writes, audit, change: { kind: 'payout_accounts' } },
      schema: {
        tags,
        operationId: 'changeRecipient',
        summary: 'Change a recipient',
        description:
          'Omitted fields keep their values; null clears a field; an address is replaced as a whole. Errors: RECIPIENT_NOT_FOUND; RECIPIENT_ARCHIVED if its data was erased; CONFLICT if another recipient has the same external id.',
        params,
        body: Type.Object({
          name: Type.Optional(name),
          external_id: Type.Optional(orNull(externalId)),
          address: Type.Optional(orNull(addressInput)),
        }),
        response: { 200: RecipientDetail },
      },
    },
    async (request, reply) => {
      const { body } = request
      const named = { organizationId: request.credential.organizationId, customerId: request.params.id }
      const change = {
        ...(body.name !== undefined && { name: body.name }),
        ...(body.external_id !== undefined && { externalId: body.external_id }),
        ...(body.address !== undefined && { address: body.address && completeAddress(body.address) }),
      }
      return runVerb(reply, 200, presentDetail, (transact) => updateRecipient(parts, named, change, transact))
    },
  )

  app.post(
    '/v1/ramp/recipients/:id/archive',
    {
      config: { ...writes, idempotent: 'plain', audit },
      schema: {
        tags,
        operationId: 'archiveRecipient',
        summary: 'Archive a recipient',
        description:
          'Permanent; repeating the call changes nothing. An archived recipient gets no new accounts or simulations, and tokens that still arrive at its deposit addresses are returned. Error: RECIPIENT_NOT_FOUND.',
        params,
        response: { 200: RecipientDetail },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const input = { organizationId, customerId: request.params.id }
      return runVerb(reply, 200, presentDetail, (transact) => archiveRecipient(parts, input, transact))
    },
  )

  for (const [word, status] of [
    ['approve', 'approved'],
    ['reject', 'declined'],
  ] as const) {
    app.post(
      `/v1/ramp/recipients/:id/kyb/simulate-${word}`,
      {
        config: { ...writes, idempotent: 'plain', audit },
        preValidation: requireSimulator(parts),
        schema: {
          tags,
          operationId: `simulate${word === 'approve' ? 'Approval' : 'Rejection'}OfRecipient`,
          summary: `Sandbox: ${word} the verification of a recipient`,
          description:
            'Simulates the decision of the provider on a pending or submitted verification. Errors: SANDBOX_ONLY in live; RECIPIENT_NOT_FOUND; RECIPIENT_ARCHIVED; CONFLICT once it is decided.',
          params,
          response: { 200: RecipientDetail },
        },
      },
      async (request, reply) => {
        const { organizationId } = request.credential
        const input = { organizationId, recipientId: request.params.id, status }
        return runVerb(reply, 200, presentDetail, (transact) => simulateKyb(parts, input, transact))
      },
    )
  }
}
