import fc from 'fast-check'
import type { OrganizationFixture } from '../access/organization-fixture.ts'
import type { RawRequest } from '../service/in-process-service.ts'
import {
  contentType,
  encodeJson,
  escaped,
  headerNoise,
  hostileBody,
  hostileJson,
  hostileUrlText,
} from './hostile-values.ts'
import { corrupted, type Schema, type SchemaSource, schemaArbitrary } from './schema-arbitraries.ts'

/** The document's description of one route. */
export interface DocumentedRoute {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

type Headers = Readonly<Record<string, string>>

/** A request without its credential, or with its own instead of the valid one. */
export interface RequestAttempt extends RawRequest {
  readonly credential?: Headers | undefined
}

/** `arbitrary` once in `times` times, else nothing. */
const seldom = <T>(times: number, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** Requests to one route: mostly almost valid, to get far; rarely valid; sometimes entirely invalid. */
export function requestArbitrary(
  route: string,
  documented: DocumentedRoute,
  source: SchemaSource,
  others: readonly Headers[],
): fc.Arbitrary<RequestAttempt> {
  const [method = '', template = ''] = route.split(' ')
  const parameters = documented.parameters ?? []
  const query = parameters.filter((parameter) => parameter.in === 'query')
  return fc
    .record({
      path: pathOf(
        source,
        template,
        parameters.filter((parameter) => parameter.in === 'path'),
      ),
      query: queryOf(source, query),
      body: method === 'GET' ? fc.constant(undefined) : bodyOf(source, documented),
      type: contentType,
      noise: headerNoise,
      credential: seldom(10, fc.constantFrom(...others)),
    })
    .map(({ path, query: asked, body, type, noise, credential }) => ({
      method,
      path: path + asked,
      headers: { ...noise, ...(body !== undefined && type !== '' && { 'content-type': type }) },
      body,
      credential,
    }))
}

function pathOf(
  source: SchemaSource,
  template: string,
  parameters: DocumentedRoute['parameters'] = [],
): fc.Arbitrary<string> {
  const values = Object.fromEntries(
    [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
      const schema = parameters.find((parameter) => parameter.name === name)?.schema ?? {}
      return [name, urlText(source, schema, name, 6)]
    }),
  )
  // An empty segment would be a different path.
  return fc.record(values).map((given) => template.replaceAll(/\{(\w+)\}/g, (_, name: string) => given[name] || '%20'))
}

function queryOf(source: SchemaSource, parameters: NonNullable<DocumentedRoute['parameters']>): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema }) =>
    seldom(
      3,
      urlText(source, schema, name, 4).map((text) => `${name}=${text}`),
    ),
  )
  const strange = seldom(
    10,
    fc.tuple(hostileUrlText, hostileUrlText).map((pair) => pair.join('=')),
  )
  // Sometimes repeat a parameter, or add brackets as some libraries write lists.
  const repeated = parameters.length === 0 ? fc.constant('') : fc.constantFrom(...parameters.map(({ name }) => name))
  const again = seldom(
    12,
    fc.tuple(repeated, fc.constantFrom('=1', '[]=1', '[a]=1', '', '=')).map((parts) => parts.join('')),
  )
  return fc.tuple(...pairs, strange, again).map((all) => {
    const sent = all.filter((pair) => pair)
    return sent.length === 0 ? '' : `?${sent.join('&')}`
  })
}

function urlText(source: SchemaSource, schema: Schema, name: string, weight: number): fc.Arbitrary<string> {
  const valid = schemaArbitrary(source, schema, name).map((value) => escaped(String(value)))
  return fc.oneof({ weight, arbitrary: valid }, { weight: 1, arbitrary: hostileUrlText })
}

function bodyOf(source: SchemaSource, { requestBody }: DocumentedRoute): fc.Arbitrary<string | Uint8Array | undefined> {
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  if (schema === undefined) {
    return seldom(3, fc.oneof(hostileBody, hostileJson.map(encodeJson)))
  }
  return fc.oneof(
    { weight: 5, arbitrary: schemaArbitrary(source, schema).map(encodeJson) },
    { weight: 4, arbitrary: corrupted(source, schema).map(encodeJson) },
    { weight: 1, arbitrary: hostileJson.map(encodeJson) },
    { weight: 1, arbitrary: hostileBody },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

/** Existing ids of both organizations, by field: without them, almost all ids would be unknown. */
export function exampleValues(ours: OrganizationFixture, theirs: OrganizationFixture): SchemaSource['examples'] {
  const each = <T>(of: (estate: OrganizationFixture) => T) => [of(ours), of(ours), of(theirs)]
  const ids = each(({ ids: names }) => [names.operationId, names.transactionId, names.walletId, names.keyId])
  const { ids: names } = ours
  return {
    id: [
      ...ids.flat(),
      names.opWalletId,
      names.allocationId,
      names.memberId,
      names.sessionId,
      names.ssoProviderId,
      names.ssoDomainId,
      names.webhookId,
      names.recipientId,
      names.rampTransactionId,
      names.deliveryId,
      names.eventId,
      names.walletProfileId,
      ours.venueId,
      ours.strategyId,
    ],
    ramp_recipient_id: each((estate) => estate.ids.recipientId),
    destination_wallet_id: each((estate) => estate.ids.walletId),
    org_wallet_id: each((estate) => estate.ids.walletId),
    onramp_account_id: each((estate) => estate.ids.onrampAccountId),
    offramp_account_id: each((estate) => estate.ids.offrampAccountId),
    usd_amount: [1, 0.01, 50_000, 12.345, 1e-7, '1', '12.34', '1e3'],
    routing_number: ['021000021', '021000022', '000000000'],
    account_number: ['000123456789'],
    date_from: ['2026-01-01', '2026-02-31', '2026-01-01T00:00:00Z'],
    date_to: ['2026-12-31', '2026-01-01T00:00:00+25:00'],
    external_id: ['a', 'b', null],
    destination_asset: ['USDC', 'usdt', 'DAI'],
    source_asset: ['USDC', 'usdt', 'DAI'],
    country: ['US', 'DE', 'us'],
    opWalletId: each((estate) => estate.ids.opWalletId),
    managedWalletId: each((estate) => estate.ids.opWalletId),
    orgWalletId: each((estate) => estate.ids.walletId),
    address: [...each((estate) => estate.ids.walletAddress), ADDRESS],
    bufferAmount: ['0', '900', '0.000001', '0.0000001', '-1', '1e3'],
    walletId: each((estate) => estate.ids.walletId),
    walletAddress: [...each((estate) => estate.ids.walletAddress), names.walletAddress.toLowerCase(), ADDRESS],
    walletProfileId: each((estate) => estate.ids.walletProfileId),
    userId: each((estate) => estate.ids.userId),
    operationId: each((estate) => estate.ids.operationId),
    transactionId: each((estate) => estate.ids.transactionId),
    txHash: [...each((estate) => estate.ids.txHash), `0x${'ab'.repeat(32)}`],
    depositCap: ['0', '5000000', null],
    strategyId: [ours.strategyId, ours.strategyId, ours.strategyId, 1, 2, 3, 5, 8, 13],
    venueId: [ours.venueId, 1, 2, 3],
    tokenAddress: [ours.tokenAddress, ours.tokenAddress, ours.tokenAddress.toLowerCase(), ADDRESS],
    amount: ['1', '1000000', '1000000', '2500000', '9000000', '99999999999', '0'],
    signedTransaction: [...each((estate) => estate.signed).flat(), `0x02${'c0'.repeat(40)}`],
    blockchain: ['polygon', 'polygon', 'base', 'POLYGON', 'ethereum', 'solana', 'arbitrum'],
    token: ['USDC', 'USDT', 'usdc', 'native', 'DAI'],
    status: ['completed', 'UNWINDING', 'PENDING', 'awaiting_signature', 'CONFIRMED', 'FAILED', 'SUBMITTED'],
    type: ['supply', 'UNWIND'],
    email: each((estate) => estate.party.email),
    password: ['a long enough password', 'a long enough password', 'wrong'],
    refreshToken: each((estate) => estate.party.session.refreshToken),
    method: [
      'eth_blockNumber',
      'eth_call',
      'eth_getBalance',
      'eth_sendRawTransaction',
      'anvil_setBalance',
      'net_version',
    ],
    url: ['https://hooks.example.com/in', 'http://127.0.0.1:9/', 'https://10.0.0.1/', 'https://127.1/'],
    events: [['*'], ['operation.completed'], ['webhook.test', 'nonsense']],
    after: [0, 1, 5, 1_000],
    jsonrpc: ['2.0'],
    seconds: [1, 60, 3_600, 86_400],
    count: [0, 0, 1],
    days: [1, 30, 365],
  }
}

const ADDRESS = '0x00000000000000000000000000000000000000AA'
