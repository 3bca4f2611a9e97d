import { until } from '../../testing/index.ts'
import type { Wallet } from './api-types.ts'
import type { HttpClient } from './client.ts'

export interface Recipient {
  readonly id: number
  readonly kyb_status: string
  readonly kyb_url: string
}

export interface Onramp {
  readonly id: number
  readonly account_number: string
  readonly routing_number: string
  readonly destination_wallet: { readonly id: number; readonly address: string }
}

export interface Offramp {
  readonly id: number
  readonly source_crypto_address: string
  readonly fiat_account_number: string
}

export interface Kyb {
  readonly kybStatus: string | null
  readonly applicationUrl: string | null
  readonly onrampAccount: Onramp | null
  readonly onrampAccounts: readonly Onramp[]
}

export interface RampRecord {
  readonly created_by?: { readonly type: string; readonly id: number }
  readonly id: number
  readonly type: string
  readonly status: string
  readonly tx_hash: string | null
  readonly return_tx_hash: string | null
  readonly usd_amount: string
  readonly total_fee: string
  readonly developer_fee: string
  readonly delivered_amount: string | null
  readonly delivered_amount_base_units: string | null
  readonly dust_base_units: string | null
  readonly ramp_recipient_id: number | null
  readonly failure_reason: string | null
  readonly status_history: readonly { readonly status: string }[]
}

export interface Page<T> {
  readonly data: readonly T[]
  readonly pagination: { readonly page: number; readonly per_page: number; readonly total: number }
}

export const BANK = {
  routing_number: '021000021',
  account_number: '000123456789',
  account_type: 'checking',
  account_holder_name: 'Basalt Payments',
  bank_name: 'First Bank',
}

export const onrampOf = async (client: HttpClient, wallet: Wallet) =>
  (await client.post<Onramp>('/v1/ramp/org/onramp-accounts', { destination_wallet_id: wallet.walletId })).body
export const offrampOf = async (client: HttpClient, wallet: Wallet) =>
  (await client.post<Offramp>('/v1/ramp/org/offramp-accounts', { org_wallet_id: wallet.walletId, bank_details: BANK }))
    .body
/** The newest payments of the organization, newest first. */
export const recordsOf = async (client: HttpClient) =>
  (await client.get<Page<RampRecord>>('/v1/ramp/transactions')).body.data
/** Waits until the newest payment has this status, and returns it. */
export const newestRecordIn = (client: HttpClient, status: string) =>
  until(async () => {
    const [record] = await recordsOf(client)
    return record?.status === status && record
  })
