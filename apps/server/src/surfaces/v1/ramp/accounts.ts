import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { RampDirection } from '../../../database/index.ts'
import { actorOf, scopeOf } from '../../../identity/index.ts'
import {
  findAccount,
  findOrganizationCustomer,
  findRecipient,
  listAccounts,
  type OpenAccountInput,
  oldestAccount,
  openOfframpAccount,
  openOnrampAccount,
  type RampAccount,
  type RampParts,
} from '../../../ramp/index.ts'
import {
  type App,
  idParams,
  optionalPageOf,
  optionalPerPageQuery,
  type PerPageWindow,
  runVerb,
  totalCount,
} from '../../http/index.ts'
import { orNull } from '../schemas.ts'
import { type AccountBody, assetOf, bankOf, OfframpBody, OnrampBody, walletOf } from './account-bodies.ts'
import { OfframpAccount, OnrampAccount, presentOfframp, presentOnramp, reads, writes } from './schemas.ts'

/** Accounts on both sides, of recipients and of the organization itself (spec 4.7, contract 11). */
export function rampAccountRoutes(app: App, parts: RampParts): void {
  const tags = ['Ramp: accounts']
  const params = idParams('Recipient id.')

  const inputOf = (
    request: FastifyRequest,
    body: AccountBody,
    recipientId: number | null,
    direction: RampDirection,
  ): OpenAccountInput => ({
    scope: scopeOf(request.credential),
    createdBy: actorOf(request.credential),
    recipientId,
    wallet: walletOf(body, direction === 'onramp' ? 'destination_wallet_id' : 'org_wallet_id'),
    asset: assetOf(body, direction),
    rail: body.rail ?? 'ach',
  })
  const openOnramp = (reply: FastifyReply, body: AccountBody, recipientId: number | null) => {
    const input = inputOf(reply.request, body, recipientId, 'onramp')
    return runVerb(reply, 201, presentOnramp, (transact) => openOnrampAccount(parts, input, transact))
  }
  const openOfframp = (reply: FastifyReply, body: AccountBody, recipientId: number | null) => {
    const input = { ...inputOf(reply.request, body, recipientId, 'offramp'), bank: bankOf(body) }
    return runVerb(reply, 201, presentOfframp, (transact) => openOfframpAccount(parts, input, transact))
  }
  /** The accounts of the customer in the path: a recipient, or without an id the organization itself. */
  const listOf = async (
    {
      credential,
      query,
      params: pathParams,
    }: { credential: FastifyRequest['credential']; query: PerPageWindow; params: unknown },
    reply: FastifyReply,
    direction: RampDirection,
  ): Promise<RampAccount[]> => {
    const { organizationId } = credential
    const { id: recipientId } = (pathParams ?? {}) as { id?: number }
    const customer =
      recipientId === undefined
        ? await findOrganizationCustomer(parts, organizationId)
        : await findRecipient(parts, organizationId, recipientId)
    const filter = { customerId: customer?.customerId ?? 0, direction }
    const { accounts, total } = await listAccounts(parts, organizationId, filter, optionalPageOf(query))
    totalCount(reply, total)
    return accounts
  }
  /** Account numbers are not stored with responses, so a replay reads them from the account. */
  const reread = async (request: FastifyRequest, stored: unknown) => {
    const { id: accountId } = stored as { id: number }
    return presentOnramp(await findAccount(parts, request.credential.organizationId, accountId, 'onramp'))
  }
  const audit = { object: 'ramp_account', id: 'data.id' }
  const opensOnramp = {
    ...writes,
    idempotent: 'secret',
    secretFields: ['account_number'],
    reread,
    audit,
    change: { kind: 'onramp_destinations' },
  } as const
  const opensOfframp = {
    ...writes,
    idempotent: 'plain',
    audit,
    change: {
      kind: 'payout_accounts',
      numbers: ['bank_details.account_number', 'bankDetails.accountNumber'],
    },
  } as const
  const querystring = Type.Object(optionalPerPageQuery)
  const walletErrors =
    'INVALID_ADDRESS; WALLET_NOT_FOUND, including for a wallet outside the scope of your key; VALIDATION_ERROR, including if id and address name different wallets; FORBIDDEN if an allow-list does not have the address of the wallet; ASSET_NOT_SUPPORTED; CONFLICT at the quota; RAMP_UNAVAILABLE.'
  const onrampErrors = `RECIPIENT_ARCHIVED; KYB_NOT_APPROVED; ${walletErrors}`

  app.post(
    '/v1/ramp/recipients/:id/onramp-accounts',
    {
      config: opensOnramp,
      schema: {
        tags,
        operationId: 'openRecipientOnrampAccount',
        summary: 'Open an on-ramp account for a recipient',
        description: `Opens a bank account for the recipient. Payments to it arrive as tokens in the wallet. Errors: RECIPIENT_NOT_FOUND; ${onrampErrors}`,
        params,
        body: OnrampBody,
        response: { 201: OnrampAccount },
      },
    },
    async (request, reply) => openOnramp(reply, request.body, request.params.id),
  )
  app.get(
    '/v1/ramp/recipients/:id/onramp-accounts',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listRecipientOnrampAccounts',
        summary: 'List the on-ramp accounts of a recipient',
        description: 'Newest first; all by default, or one page if requested. Error: RECIPIENT_NOT_FOUND.',
        params,
        querystring,
        response: { 200: Type.Array(OnrampAccount, { description: 'On-ramp accounts.' }) },
      },
    },
    async (request, reply) => (await listOf(request, reply, 'onramp')).map(presentOnramp),
  )
  app.post(
    '/v1/ramp/recipients/:id/offramp-accounts',
    {
      config: opensOfframp,
      schema: {
        tags,
        operationId: 'openRecipientOfframpAccount',
        summary: 'Open an off-ramp account for a recipient',
        description: `Creates a deposit address for the recipient. Tokens sent to it are paid out to the bank account. Errors: RECIPIENT_NOT_FOUND; RECIPIENT_ARCHIVED; KYB_NOT_APPROVED; RECIPIENT_ADDRESS_REQUIRED; ${walletErrors}`,
        params,
        body: OfframpBody,
        response: { 201: OfframpAccount },
      },
    },
    async (request, reply) => openOfframp(reply, request.body, request.params.id),
  )
  app.get(
    '/v1/ramp/recipients/:id/offramp-accounts',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listRecipientOfframpAccounts',
        summary: 'List the off-ramp accounts of a recipient',
        description: 'Newest first; all by default, or one page if requested. Error: RECIPIENT_NOT_FOUND.',
        params,
        querystring,
        response: { 200: Type.Array(OfframpAccount, { description: 'Off-ramp accounts.' }) },
      },
    },
    async (request, reply) => (await listOf(request, reply, 'offramp')).map(presentOfframp),
  )

  app.post(
    '/v1/ramp/org/onramp-accounts',
    {
      config: opensOnramp,
      schema: {
        tags,
        operationId: 'openOrganizationOnrampAccount',
        summary: 'Open an on-ramp account for your organization',
        description: `Opens a bank account for your organization. Payments to it arrive as tokens in the wallet. Errors: ${onrampErrors}`,
        body: OnrampBody,
        response: { 201: OnrampAccount },
      },
    },
    async (request, reply) => openOnramp(reply, request.body, null),
  )
  app.get(
    '/v1/ramp/org/onramp-accounts',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listOrganizationOnrampAccounts',
        summary: 'List the on-ramp accounts of your organization',
        description:
          'Only accounts of the organization itself, not of its recipients. Newest first; all by default, or one page if requested.',
        querystring,
        response: { 200: Type.Array(OnrampAccount, { description: 'On-ramp accounts.' }) },
      },
    },
    async (request, reply) => (await listOf(request, reply, 'onramp')).map(presentOnramp),
  )
  app.get(
    '/v1/ramp/org/onramp-account',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'getOrganizationOnrampAccount',
        summary: 'Get the primary on-ramp account of your organization',
        description: 'The primary account is the one that was opened first; null if there is none.',
        response: { 200: orNull(OnrampAccount) },
      },
    },
    async ({ credential: { organizationId } }, reply) => {
      const customer = await findOrganizationCustomer(parts, organizationId)
      const own = { customerId: customer?.customerId ?? 0, direction: 'onramp' as const }
      const primary = await oldestAccount(parts, organizationId, own)
      const body = primary ? presentOnramp(primary) : null
      return reply.type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
    },
  )
  app.post(
    '/v1/ramp/org/offramp-accounts',
    {
      config: opensOfframp,
      schema: {
        tags,
        operationId: 'openOrganizationOfframpAccount',
        summary: 'Open an off-ramp account for your organization',
        description: `Creates a deposit address for your organization. Tokens sent to it are paid out to the bank account. Errors: ${onrampErrors}`,
        body: OfframpBody,
        response: { 201: OfframpAccount },
      },
    },
    async (request, reply) => openOfframp(reply, request.body, null),
  )
  app.get(
    '/v1/ramp/org/offramp-accounts',
    {
      config: reads,
      schema: {
        tags,
        operationId: 'listOrganizationOfframpAccounts',
        summary: 'List the off-ramp accounts of your organization',
        description:
          'Only accounts of the organization itself, not of its recipients. Newest first; all by default, or one page if requested.',
        querystring,
        response: { 200: Type.Array(OfframpAccount, { description: 'Off-ramp accounts.' }) },
      },
    },
    async (request, reply) => (await listOf(request, reply, 'offramp')).map(presentOfframp),
  )
}
