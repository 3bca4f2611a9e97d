import { randomBytes } from 'node:crypto'
import { requestChange } from '../../src/changes/index.ts'
import { addMilliseconds } from '../../src/kernel/index.ts'
import { relayEvents } from '../../src/webhooks/index.ts'
import { CHANGE_SECRETS } from '../../testing/changes/change-secrets.ts'
import { requestedBy } from '../../testing/changes/use-changes.ts'
import { logIn } from '../../testing/identity/log-in.ts'
import { until } from '../../testing/until.ts'
import type { Data, VenueList, Wallet } from '../clients/api-types.ts'
import { type HttpClient, withKey } from '../clients/client.ts'
import { type RegisteredOrganization, registerOrganization } from '../clients/register-organization.ts'
import { createWalletClient } from '../clients/wallet-client.ts'
import type { InProcessService } from '../service/in-process-service.ts'

/** Ids that requests use in path, query or body. `absent` has the same forms, but no such objects exist. */
export interface ResourceIds {
  readonly walletId: number
  readonly walletAddress: string
  readonly userId: string
  readonly walletProfileId: number
  readonly operationId: number
  readonly transactionId: number
  readonly txHash: string
  readonly opWalletId: number
  readonly allocationId: number
  readonly keyId: number
  readonly serviceAccountId: number
  readonly memberId: number
  readonly sessionId: number
  readonly changeRequestId: number
  readonly destinationId: number
  readonly invitationId: number
  readonly ssoProviderId: number
  readonly ssoDomainId: number
  readonly webhookId: number
  readonly deliveryId: number
  readonly eventId: number
  readonly recipientId: number
  readonly onrampAccountId: number
  readonly offrampAccountId: number
  readonly rampTransactionId: number
}

/** Keys can be limited to these. */
export const KEY_PERMISSIONS = ['read', 'plan', 'submit', 'ramp', 'agent'] as const

export const ROLES = ['owner', 'admin', 'approver', 'viewer'] as const

/** An organization with one of everything: people of each role, keys of each scope, two profiles, money at work. */
export interface OrganizationFixture {
  readonly party: RegisteredOrganization
  readonly tokens: Readonly<Record<(typeof ROLES)[number], string>>
  readonly keys: Readonly<Record<'organization' | 'admin' | 'profile' | 'otherProfile' | 'revoked', string>>
  /** Organization keys with one permission each. */
  readonly limitedKeys: Readonly<Record<(typeof KEY_PERMISSIONS)[number], string>>
  /** Secrets of service accounts. */
  readonly secrets: Readonly<Record<'admin' | 'viewer' | 'deleted', string>>
  readonly expiredToken: string
  /** All objects of the first profile and the organization. */
  readonly ids: ResourceIds
  readonly strategyId: number
  readonly venueId: number
  readonly tokenAddress: string
  /** Signed bytes for the waiting operation. */
  readonly signed: readonly string[]
}

const BLOCKCHAIN = 'polygon'
const AMOUNT = 1_000_000n

export async function createOrganizationFixture(
  examined: InProcessService,
  userId: string,
): Promise<OrganizationFixture> {
  const party = await registerOrganization(examined)
  const { email, password, owner } = party
  const tokens = { owner: party.session.accessToken, admin: '', approver: '', viewer: '' }
  let memberId = 0
  for (const role of ['admin', 'approver', 'viewer'] as const) {
    const person = { email: `${role}-of-${email}`, password }
    memberId = (await owner.post<Data<{ id: number }>>('/api/core/members', { ...person, role })).body.data.id
    tokens[role] = (await logIn(examined.parts, { ...person, address: '192.0.2.1' })).accessToken
  }
  const anHourAgo = { now: () => addMilliseconds(examined.clock.now(), -3_601_000) }
  const expired = await logIn({ ...examined.parts, clock: anHourAgo }, { email, password, address: '192.0.2.1' })

  const { body: sessions } = await owner.get<Data<{ id: number }[]>>('/api/core/auth/sessions')

  const first = await party.profile({ name: 'first', operationTimeoutSeconds: 3_600 })
  const second = await party.profile({ name: 'second' })
  const revoked = await party.key()
  await owner.delete(`/api/core/apikeys/${revoked.id}`)
  const profile = await party.key({ walletProfileId: first.id })
  const keys = {
    organization: (await party.key()).apiKey,
    admin: (await party.key({ isAdmin: true })).apiKey,
    profile: profile.apiKey,
    otherProfile: (await party.key({ walletProfileId: second.id })).apiKey,
    revoked: revoked.apiKey,
  }
  const limitedKeys = { read: '', plan: '', submit: '', ramp: '', agent: '' }
  for (const permission of KEY_PERMISSIONS)
    limitedKeys[permission] = (await party.key({ permissions: [permission] })).apiKey

  const account = async (role: 'admin' | 'viewer') => {
    const body = { name: 'A service account', role }
    return (await owner.post<Data<{ id: number; secret: string }>>('/api/core/service-accounts', body)).body.data
  }
  const deleted = await account('admin')
  await owner.delete(`/api/core/service-accounts/${deleted.id}`)
  const secrets = {
    admin: (await account('admin')).secret,
    viewer: (await account('viewer')).secret,
    deleted: deleted.secret,
  }
  // Apart from the callers: it is rotated and deleted.
  const { id: serviceAccountId } = await account('viewer')

  const client = examined.as(withKey(keys.profile))
  const { venues } = (await client.get<VenueList>(`/v1/venues?blockchain=${BLOCKCHAIN}`)).body
  const venue = venues.find(({ protocol }) => protocol === 'aave-v3')!
  const strategy = venue.strategies[0]!
  const holder = await createWalletClient(client, BLOCKCHAIN, { register: { userId } })
  await holder.fund(strategy.token, 10n * AMOUNT)
  const supplied = await holder.planSupply(strategy, AMOUNT)
  for (const transaction of supplied.transactions) await holder.submit(supplied, transaction)
  // A busy node mines a moment after it accepted: nothing follows here by itself.
  const { transactions } = await until(async () => {
    await examined.follow()
    const operation = await holder.read(supplied.operationId)
    return operation.status === 'CONFIRMED' && operation
  })
  const waiting = await holder.planSupply(strategy, AMOUNT)
  const watched = { orgWalletId: holder.walletId, token: strategy.token }
  const { body: monitored } = await owner.post<Data<{ id: number }>>('/api/core/wallets/add-and-monitor', watched)
  const { body: portfolio } = await owner.get<Data<{ allocations: { id: number }[] }>>('/api/v1/allocations')

  return {
    party,
    tokens,
    keys,
    limitedKeys,
    secrets,
    expiredToken: expired.accessToken,
    ids: {
      walletId: holder.walletId,
      walletAddress: holder.walletAddress,
      userId,
      walletProfileId: first.id,
      operationId: waiting.operationId,
      transactionId: waiting.transactions[0]!.id,
      txHash: transactions[0]!.txHash!,
      opWalletId: monitored.data.id,
      allocationId: portfolio.data.allocations[0]!.id,
      keyId: profile.id,
      serviceAccountId,
      memberId,
      sessionId: sessions.data[0]!.id,
      ...(await createChangeRequest(examined, party)),
      invitationId: await createInvitation(examined, party),
      ...(await createSso(party)),
      ...(await createWebhook(examined, party)),
      ...(await createRamp(examined.as(withKey(keys.organization)))),
    },
    strategyId: strategy.strategyId,
    venueId: venue.id,
    tokenAddress: strategy.tokenAddress,
    signed: await Promise.all(waiting.transactions.map((transaction) => holder.sign(transaction))),
  }
}

/** Verified customers with an account on each side and a pending payment, which is not processed here. */
async function createRamp(
  client: HttpClient,
): Promise<Pick<ResourceIds, 'recipientId' | 'onrampAccountId' | 'offrampAccountId' | 'rampTransactionId'>> {
  type Made = { readonly id: number }
  const walletAddress = `0x${randomBytes(20).toString('hex')}`
  const wallet = (await client.post<Wallet>('/v1/wallets/register', { walletAddress, blockchain: BLOCKCHAIN })).body
  await client.post('/v1/ramp/org/kyb/start')
  await client.post('/v1/ramp/org/kyb/simulate-approve')
  const address = { street1: '1 Main Street', city: 'Springfield' }
  const { id: recipientId } = (await client.post<Made>('/v1/ramp/recipients', { name: 'Ada', address })).body
  const recipient = `/v1/ramp/recipients/${recipientId}`
  await client.post(`${recipient}/kyb/simulate-approve`)
  const onramp = { destination_wallet_id: wallet.walletId }
  const { id: onrampAccountId } = (await client.post<Made>(`${recipient}/onramp-accounts`, onramp)).body
  const offramp = { org_wallet_id: wallet.walletId, bank_details: BANK }
  const { id: offrampAccountId } = (await client.post<Made>(`${recipient}/offramp-accounts`, offramp)).body
  await client.post(`${recipient}/simulate-transaction`)
  const { data } = (await client.get<{ data: readonly Made[] }>('/v1/ramp/transactions')).body
  return { recipientId, onrampAccountId, offrampAccountId, rampTransactionId: data[0]!.id }
}

/** A plausible bank account. */
export const BANK = {
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
  account_holder_name: 'Basalt Payments',
  bank_name: 'First Bank',
} as const

/** A change that waits for approval, under no rule of the organization, and an address on its allow-list. */
async function createChangeRequest(
  { parts }: InProcessService,
  { owner, session }: RegisteredOrganization,
): Promise<Pick<ResourceIds, 'changeRequestId' | 'destinationId'>> {
  const address = `0x${randomBytes(20).toString('hex')}`
  const destination = { blockchain: BLOCKCHAIN, address, label: 'Treasury' }
  const { id: destinationId } = (await owner.post<Data<{ id: number }>>('/api/core/destinations', destination)).body
    .data
  const requester = { organizationId: session.organization.id, userId: session.user.id }
  const { id: changeRequestId } = await requestChange({ ...parts, ...CHANGE_SECRETS }, requestedBy(requester))
  return { changeRequestId, destinationId }
}

/** An open invitation of a member, sent by an owner whose address is proved. */
async function createInvitation(
  { parts }: InProcessService,
  { email, owner }: RegisteredOrganization,
): Promise<number> {
  await parts.db.updateTable('users').set({ email_verified_at: parts.clock.now() }).where('email', '=', email).execute()
  const body = { email: `invited-by-${email}`, role: 'viewer' }
  return (await owner.post<Data<{ id: number }>>('/api/core/invitations', body)).body.data.id
}

/** An identity provider that does not respond, and a claimed domain. */
async function createSso({ owner }: RegisteredOrganization): Promise<{ ssoProviderId: number; ssoDomainId: number }> {
  type Made = Data<{ id: number }>
  const provider = { name: 'Directory', issuer: 'http://127.0.0.1:9', clientId: 'weir', clientSecret: 'secret' }
  const { body: made } = await owner.post<Made>('/api/core/sso/providers', provider)
  const { body: claimed } = await owner.post<Made>('/api/core/sso/domains', { domain: 'claimed.example' })
  return { ssoProviderId: made.data.id, ssoDomainId: claimed.data.id }
}

/** A webhook with queued deliveries, which are not delivered here. */
async function createWebhook(
  { parts }: InProcessService,
  { owner }: RegisteredOrganization,
): Promise<{ webhookId: number; deliveryId: number; eventId: number }> {
  const body = { url: 'http://127.0.0.1:9/', events: ['*'] }
  const { id } = (await owner.post<Data<{ id: number }>>('/api/core/webhooks', body)).body.data
  await owner.post(`/api/core/webhooks/${id}/test`, {})
  while ((await relayEvents(parts)) > 0);
  const { data } = (await owner.get<Data<{ id: number; eventId: number }[]>>(`/api/core/webhooks/${id}/deliveries`))
    .body
  return { webhookId: id, deliveryId: data[0]!.id, eventId: data[0]!.eventId }
}

/** Ids that exist in no organization. */
export const ABSENT_IDS: ResourceIds = {
  walletId: 2 ** 40,
  walletAddress: '0x00000000000000000000000000000000000000AA',
  userId: 'nobody',
  walletProfileId: 2 ** 40 + 1,
  operationId: 2 ** 40 + 2,
  transactionId: 2 ** 40 + 3,
  txHash: `0x${'ab'.repeat(32)}`,
  keyId: 2 ** 40 + 4,
  serviceAccountId: 2 ** 40 + 21,
  memberId: 2 ** 40 + 5,
  sessionId: 2 ** 40 + 14,
  changeRequestId: 2 ** 40 + 15,
  destinationId: 2 ** 40 + 16,
  invitationId: 2 ** 40 + 17,
  ssoProviderId: 2 ** 40 + 18,
  ssoDomainId: 2 ** 40 + 19,
  webhookId: 2 ** 40 + 8,
  deliveryId: 2 ** 40 + 9,
  eventId: 2 ** 40 + 20,
  opWalletId: 2 ** 40 + 6,
  allocationId: 2 ** 40 + 7,
  recipientId: 2 ** 40 + 10,
  onrampAccountId: 2 ** 40 + 11,
  offrampAccountId: 2 ** 40 + 12,
  rampTransactionId: 2 ** 40 + 13,
}
