import { randomBytes, randomUUID } from 'node:crypto'
import type { BridgeObject, FakeBridgeState } from './fake-bridge-state.ts'

export interface BridgeRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
}
export interface BridgeResponse {
  readonly status: number
  readonly body: object
}

const created = (body: object): BridgeResponse => ({ status: 201, body })
const refused = (code: string, more: object = {}): BridgeResponse => ({
  status: 400,
  body: { code, message: code, ...more },
})
const missing: BridgeResponse = { status: 404, body: { code: 'not_found', message: 'not found' } }

/** Handles an authorized request, with the shapes and refusals of the partner's public reference. */
export function handleRequest(ledger: FakeBridgeState, { method, path, query, body }: BridgeRequest): BridgeResponse {
  const [, first, id, second, third] = path.split('/')
  if (first === 'kyc_links') {
    if (method === 'POST') return makeLink(ledger, body)
    const link = ledger.links.find((one) => one.id === id)
    return link ? { status: 200, body: link } : missing
  }
  if (method === 'GET' && path === '/virtual_accounts/history') {
    return pageOf(ledger.activity, query, (value) => ({ value }))
  }
  if (method === 'GET' && path === '/liquidation_addresses/drains') return pageOf(ledger.drains, query)
  if (first !== 'customers') return missing
  const lists: Record<string, BridgeObject[]> = {
    virtual_accounts: ledger.virtualAccounts,
    external_accounts: ledger.externalAccounts,
    liquidation_addresses: ledger.liquidationAddresses,
  }
  const list = lists[second ?? '']
  if (!list) return missing
  const ofCustomer = list.filter((one) => one.customer_id === id)
  if (method === 'GET') {
    if (third === undefined) return pageOf(ofCustomer, query)
    const one = ofCustomer.find((candidate) => candidate.id === third)
    return one ? { status: 200, body: one } : missing
  }
  const link = ledger.links.find((one) => one.customer_id === id)
  if (link?.kyc_status !== 'approved') return refused('requires_active_kyc_status')
  if (link.tos_status !== 'approved') return refused('has_not_accepted_tos')
  if (second === 'virtual_accounts') return openVirtualAccount(ledger, id!, body)
  if (second === 'external_accounts') return addBankAccount(ledger, id!, body)
  return openAddress(ledger, id!, body)
}

/** Newest first; `starting_after` continues after an entry. Ten entries by default. */
function pageOf(
  list: readonly BridgeObject[],
  query: URLSearchParams,
  wrap: (one: BridgeObject) => object = (one) => one,
): BridgeResponse {
  const after = query.get('starting_after')
  const from = after === null ? 0 : list.findIndex(({ id }) => id === after) + 1
  const data = list.slice(from, from + Math.min(100, Number(query.get('limit') ?? 10))).map(wrap)
  return { status: 200, body: { count: data.length, data } }
}

function makeLink(ledger: FakeBridgeState, { full_name, email, type }: Record<string, unknown>): BridgeResponse {
  if (typeof email !== 'string' || !['individual', 'business'].includes(String(type))) {
    return refused('invalid_parameters', { source: { key: 'email' } })
  }
  const existing = ledger.links.find((one) => one.email === email)
  if (existing) return refused('duplicate_record', { existing_kyc_link: existing })
  const id = randomUUID()
  const link = {
    id,
    full_name,
    email,
    type,
    kyc_link: `https://bridge.withpersona.com/verify?reference-id=${id}`,
    tos_link: `https://dashboard.bridge.xyz/accept-terms-of-service?t=${id}`,
    kyc_status: 'not_started',
    tos_status: 'pending',
    customer_id: null,
    rejection_reasons: [],
    created_at: ledger.now(),
  }
  ledger.links.unshift(link)
  ledger.emit('kyc_link', 'created', { ...link })
  return created(link)
}

function openVirtualAccount(ledger: FakeBridgeState, customer: string, body: Record<string, unknown>): BridgeResponse {
  const destination = body.destination as Record<string, unknown> | undefined
  if (!['usdc', 'usdt'].includes(String(destination?.currency))) {
    return refused('invalid_parameters', { source: { key: 'destination.currency' } })
  }
  const account = {
    id: randomUUID(),
    status: 'activated',
    customer_id: customer,
    developer_fee_percent: body.developer_fee_percent ?? '0.0',
    source_deposit_instructions: {
      currency: 'usd',
      payment_rails: ['ach_push', 'wire'],
      bank_name: 'Lead Bank',
      bank_routing_number: '101019644',
      bank_account_number: String(9_000_000_000 + ledger.virtualAccounts.length),
    },
    destination,
    created_at: ledger.now(),
  }
  ledger.virtualAccounts.unshift(account)
  return created(account)
}

function addBankAccount(ledger: FakeBridgeState, customer: string, body: Record<string, unknown>): BridgeResponse {
  const { account_number: number, ...account } = (body.account ?? {}) as Record<string, string>
  if (!/^[0-9]{4,17}$/.test(number ?? '')) {
    return refused('invalid_parameters', { source: { key: 'account.account_number' } })
  }
  const secret = `${number}/${account.routing_number}`
  const known = ledger.externalAccounts.find((one) => one.customer_id === customer && one.secret === secret)
  if (known) return refused('duplicate_external_account', { id: known.id })
  const { account: _whole, ...shown } = body
  const made = {
    ...shown,
    id: randomUUID(),
    customer_id: customer,
    active: true,
    account: { ...account, last_4: number!.slice(-4) },
    secret,
    created_at: ledger.now(),
  }
  ledger.externalAccounts.unshift(made)
  return created({ ...made, secret: undefined })
}

function openAddress(ledger: FakeBridgeState, customer: string, body: Record<string, unknown>): BridgeResponse {
  const bank = ledger.externalAccounts.find(
    (one) => one.id === body.external_account_id && one.customer_id === customer,
  )
  if (!bank) return refused('invalid_parameters', { source: { key: 'external_account_id' } })
  const isSame = (one: BridgeObject) =>
    ['chain', 'currency', 'external_account_id', 'destination_payment_rail'].every((name) => one[name] === body[name])
  if (ledger.liquidationAddresses.some((one) => one.customer_id === customer && isSame(one))) {
    return refused('duplicate_record')
  }
  const address = {
    ...body,
    id: randomUUID(),
    customer_id: customer,
    address: `0x${randomBytes(20).toString('hex')}`,
    state: 'active',
    created_at: ledger.now(),
    updated_at: ledger.now(),
  }
  ledger.liquidationAddresses.unshift(address)
  return created(address)
}
