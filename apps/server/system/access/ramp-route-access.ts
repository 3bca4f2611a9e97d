import { BANK, type ResourceIds } from './organization-fixture.ts'
import { type PathIds, type RouteAccess, withBody } from './path-ids.ts'

const recipient = ({ recipientId: id }: ResourceIds): PathIds => ({ path: { id } })
const rampTransaction = ({ rampTransactionId: id }: ResourceIds): PathIds => ({ path: { id } })
const ofRecipient = ({ recipientId: ramp_recipient_id }: ResourceIds): PathIds => ({ query: { ramp_recipient_id } })
const quick = { step_delay_ms: 0, usd_amount: 1 }
const payout = (org_wallet_id: number) => ({ org_wallet_id, bank_details: BANK })

/** The routes of the ramp that change nothing, and those without a credential. */
export const RAMP_READS: Readonly<Record<string, RouteAccess>> = {
  'GET /ramp/kyb/{token}': { access: 'open' },
  'POST /ramp/kyb/{token}': { access: 'open' },
  'POST /ramp/events': { access: 'open' },
  'GET /v1/ramp/quote': { access: 'read', probe: { query: { usd_amount: '1' } } },
  'GET /v1/ramp/fees': { access: 'read' },
  'GET /v1/ramp/org/kyb/status': { access: 'read' },
  'GET /v1/ramp/org/onramp-account': { access: 'read' },
  'GET /v1/ramp/org/onramp-accounts': { access: 'read' },
  'GET /v1/ramp/org/offramp-accounts': { access: 'read' },
  'GET /v1/ramp/org/offramp-status': { access: 'read' },
  'GET /v1/ramp/org/ramp-summary': { access: 'read' },
  'GET /v1/ramp/transactions/summary': { access: 'read' },
  'GET /v1/ramp/recipients': { access: 'read' },
  'GET /v1/ramp/recipients/{id}': { access: 'read', request: [recipient], shared: true },
  'GET /v1/ramp/recipients/{id}/onramp-accounts': { access: 'read', request: [recipient], shared: true },
  'GET /v1/ramp/recipients/{id}/offramp-accounts': { access: 'read', request: [recipient], shared: true },
  'GET /v1/ramp/transactions': { access: 'read', request: [ofRecipient], shared: true },
  'GET /v1/ramp/transactions/export': { access: 'read', request: [ofRecipient], shared: true },
  'GET /v1/ramp/transactions/{id}': { access: 'read', request: [rampTransaction], shared: true },
  'GET /v1/ramp/org/transactions': { access: 'read', request: [ofRecipient], shared: true },
  'GET /v1/ramp/org/transactions/export': { access: 'read', request: [ofRecipient], shared: true },
  'GET /v1/ramp/org/transactions/{id}': { access: 'read', request: [rampTransaction], shared: true },
  'GET /v1/ramp/org/offramp-transactions': { access: 'read' },
  'GET /v1/ramp/org/offramp-transactions/export': { access: 'read' },
  'GET /v1/ramp/org/offramp-transactions/{id}': { access: 'read', probe: { path: { id: 2 ** 40 } } },
}

/** The routes of the ramp that change something; archiving comes last. */
export const RAMP_WRITES: Readonly<Record<string, RouteAccess>> = {
  'POST /v1/ramp/org/kyb/start': { access: 'write' },
  'POST /v1/ramp/org/kyb/check-status': { access: 'write' },
  'POST /v1/ramp/org/kyb/simulate-approve': { access: 'write' },
  'POST /v1/ramp/org/kyb/simulate-reject': { access: 'write' },
  'POST /v1/ramp/recipients': { access: 'write' },
  'PATCH /v1/ramp/recipients/{id}': {
    access: 'write',
    request: [withBody({ name: 'Granite Supplies' }, recipient)],
    shared: true,
  },
  'POST /v1/ramp/recipients/{id}/kyb/simulate-approve': { access: 'write', request: [recipient], shared: true },
  'POST /v1/ramp/recipients/{id}/kyb/simulate-reject': { access: 'write', request: [recipient], shared: true },
  'POST /v1/ramp/recipients/{id}/onramp-accounts': {
    access: 'write',
    request: [(names) => ({ ...recipient(names), body: { destination_wallet_id: names.walletId } })],
    shared: true,
  },
  'POST /v1/ramp/recipients/{id}/offramp-accounts': {
    access: 'write',
    request: [(names) => ({ ...recipient(names), body: payout(names.walletId) })],
    shared: true,
  },
  'POST /v1/ramp/org/onramp-accounts': {
    access: 'write',
    request: [
      ({ walletId }) => ({ body: { orgWalletId: walletId } }),
      ({ walletAddress }) => ({ body: { walletAddress, blockchain: 'polygon' } }),
    ],
  },
  'POST /v1/ramp/org/offramp-accounts': { access: 'write', request: [({ walletId }) => ({ body: payout(walletId) })] },
  'POST /v1/ramp/org/simulate-transaction': {
    access: 'write',
    request: [({ onrampAccountId }) => ({ body: { ...quick, onramp_account_id: onrampAccountId } })],
    shared: true,
  },
  'POST /v1/ramp/org/simulate-offramp-transaction': {
    access: 'write',
    request: [({ offrampAccountId }) => ({ body: { ...quick, offramp_account_id: offrampAccountId } })],
    shared: true,
  },
  'POST /v1/ramp/recipients/{id}/simulate-transaction': {
    access: 'write',
    request: [withBody(quick, recipient)],
    shared: true,
  },
  'POST /v1/ramp/recipients/{id}/simulate-offramp-transaction': {
    access: 'write',
    request: [withBody(quick, recipient)],
    shared: true,
  },
  'POST /v1/ramp/recipients/{id}/archive': { access: 'write', request: [recipient], shared: true },
  'POST /api/core/recipients/{id}/erase': { access: 'admins', request: [recipient] },
}
