import { createHash, createSign, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { ManualClock } from '../../../src/kernel/index.ts'

/** A partner's object in the shape of its reference. */
export type BridgeObject = Record<string, unknown> & { readonly id: string }

/** The partner's data and messages, without HTTP. */
export interface FakeBridgeState {
  readonly publicKey: string
  readonly links: BridgeObject[]
  readonly virtualAccounts: BridgeObject[]
  readonly externalAccounts: BridgeObject[]
  readonly liquidationAddresses: BridgeObject[]
  /** Newest first, like all of the partner's lists. */
  readonly activity: BridgeObject[]
  readonly drains: BridgeObject[]
  /** All messages in the order of their events. */
  readonly messages: BridgeMessage[]
  /** Sets the status of a verification. */
  verify(linkId: string, status: string, terms?: 'pending' | 'approved'): BridgeMessage
  /** Records one step of an inbound payment. */
  advanceDeposit(accountId: string, deposit: string, type: string, more?: Record<string, unknown>): BridgeMessage
  /** Sends an earlier step again with more fields. */
  amend(activityId: unknown, more: Record<string, unknown>): BridgeMessage
  /** Starts or advances an outbound payment. */
  drain(addressId: string, drainId: string, state: string, more?: Record<string, unknown>): BridgeMessage
  /** Emits a message of any form. */
  emit(category: string, type: string, object: BridgeObject, changes?: Record<string, unknown>): BridgeMessage
  /** The body of a message, or these bytes, and the header that signs them. */
  sign(message: object, at?: number): { headers: Record<string, string>; body: Buffer }
  now(): string
}

export interface BridgeMessage {
  readonly event_id: string
  readonly event_category: string
  readonly event_object: BridgeObject
}

export function createFakeBridgeState(clock: ManualClock): FakeBridgeState {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const now = () => clock.now().toISOString()
  const find = (list: BridgeObject[], id: unknown) => list.find((one) => one.id === id)!

  const ledger: FakeBridgeState = {
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    links: [],
    virtualAccounts: [],
    externalAccounts: [],
    liquidationAddresses: [],
    activity: [],
    drains: [],
    messages: [],
    now,

    verify(linkId, status, terms = 'approved') {
      const link = find(ledger.links, linkId)
      const changes = { kyc_status: [link.kyc_status, status] }
      Object.assign(link, { kyc_status: status, tos_status: terms })
      if (status === 'approved') link.customer_id ??= randomUUID()
      return ledger.emit('kyc_link', 'updated.status_transitioned', { ...link }, changes)
    },
    advanceDeposit(accountId, deposit, type, more = {}) {
      const account = find(ledger.virtualAccounts, accountId)
      const activity: BridgeObject = {
        id: randomUUID(),
        type,
        customer_id: account.customer_id,
        virtual_account_id: accountId,
        deposit_id: deposit,
        currency: 'usd',
        developer_fee_amount: '0.0',
        exchange_fee_amount: '0.0',
        gas_fee: '0.0',
        source: { payment_rail: 'ach_push', description: 'ACH', sender_name: 'Payer', trace_number: '091000019000001' },
        created_at: now(),
        ...more,
      }
      ledger.activity.unshift(activity)
      return ledger.emit('virtual_account.activity', 'created', { ...activity })
    },
    amend(activityId, more) {
      const activity = Object.assign(find(ledger.activity, activityId), more)
      return ledger.emit('virtual_account.activity', 'updated', { ...activity }, more)
    },
    drain(addressId, drainId, state, more = {}) {
      const address = find(ledger.liquidationAddresses, addressId)
      const known = find(ledger.drains, drainId) as BridgeObject | undefined
      const before = known?.state
      const drain: BridgeObject = known ?? {
        id: drainId,
        customer_id: address.customer_id,
        liquidation_address_id: addressId,
        currency: address.currency,
        deposit_tx_hash: `0x${randomBytes(32).toString('hex')}`,
        destination: { payment_rail: 'ach', currency: 'usd', external_account_id: address.external_account_id },
        created_at: now(),
      }
      Object.assign(drain, { state, updated_at: now(), ...more })
      if (!known) ledger.drains.unshift(drain)
      const type = known ? 'updated.status_transitioned' : 'created'
      return ledger.emit('liquidation_address.drain', type, { ...drain }, known ? { state: [before, state] } : {})
    },
    emit(category, type, object, changes = {}) {
      const message = {
        api_version: 'v0',
        event_id: `wh_${randomUUID()}`,
        event_category: category,
        event_type: `${category}.${type}`,
        event_object_id: object.id,
        event_object_status: (object.kyc_status ?? object.state ?? null) as string | null,
        event_object: object,
        event_object_changes: changes,
        event_created_at: now(),
      }
      ledger.messages.push(message)
      return message
    },
    sign(message, at = clock.now().getTime()) {
      const body = Buffer.isBuffer(message) ? message : Buffer.from(JSON.stringify(message))
      const digest = createHash('sha256').update(`${at}.`).update(body).digest()
      const signature = createSign('sha256').update(digest).sign(privateKey, 'base64')
      return { headers: { 'x-webhook-signature': `t=${at},v0=${signature}` }, body }
    },
  }
  return ledger
}
