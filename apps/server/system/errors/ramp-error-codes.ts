import { randomBytes } from 'node:crypto'
import { BANK } from '../access/organization-fixture.ts'
import type { Wallet } from '../clients/api-types.ts'
import type { HttpClient, HttpResponse } from '../clients/client.ts'
import { registerOrganization } from '../clients/register-organization.ts'
import type { ErrorScenarioContext } from './error-scenario-context.ts'

type RampResponse = Promise<HttpResponse<unknown>>
const RECIPIENTS = '/v1/ramp/recipients'
const NOWHERE = 2 ** 40

/** A customer that raises a code of the ramp, in a separate organization. */
interface Customer {
  readonly client: HttpClient
  readonly walletId: number
  recipient(fields: { approved: boolean }): Promise<string>
}

async function customer({ system }: ErrorScenarioContext): Promise<Customer> {
  const client = await (await registerOrganization(system)).client()
  const walletAddress = `0x${randomBytes(20).toString('hex')}`
  const { walletId } = (await client.post<Wallet>('/v1/wallets/register', { walletAddress, blockchain: 'base' })).body
  return {
    client,
    walletId,
    async recipient({ approved }) {
      const { id } = (await client.post<{ id: number }>(RECIPIENTS, { name: 'Ada Lovelace' })).body
      if (approved) await client.post(`${RECIPIENTS}/${id}/kyb/simulate-approve`)
      return `${RECIPIENTS}/${id}`
    },
  }
}

export async function kybNotApproved(ground: ErrorScenarioContext): RampResponse {
  const { client, walletId, recipient } = await customer(ground)
  return client.post(`${await recipient({ approved: false })}/onramp-accounts`, { destination_wallet_id: walletId })
}

export async function recipientAddressRequired(ground: ErrorScenarioContext): RampResponse {
  const { client, walletId, recipient } = await customer(ground)
  const wish = { org_wallet_id: walletId, bank_details: BANK }
  return client.post(`${await recipient({ approved: true })}/offramp-accounts`, wish)
}

export async function recipientArchived(ground: ErrorScenarioContext): RampResponse {
  const { client, walletId, recipient } = await customer(ground)
  const path = await recipient({ approved: true })
  await client.post(`${path}/archive`)
  return client.post(`${path}/onramp-accounts`, { destination_wallet_id: walletId })
}

/** There is no USDT on base. */
export async function assetNotSupported(ground: ErrorScenarioContext): RampResponse {
  const { client, walletId, recipient } = await customer(ground)
  const wish = { destination_wallet_id: walletId, destination_asset: 'USDT' }
  return client.post(`${await recipient({ approved: true })}/onramp-accounts`, wish)
}

export async function recipientNotFound(ground: ErrorScenarioContext): RampResponse {
  const { client } = await customer(ground)
  return client.get(`${RECIPIENTS}/${NOWHERE}`)
}

export async function accountNotFound(ground: ErrorScenarioContext): RampResponse {
  const { client } = await customer(ground)
  return client.post('/v1/ramp/org/simulate-transaction')
}

/** Nothing new can start without a banking partner. */
export async function rampUnavailable({ withoutRampProvider }: ErrorScenarioContext): RampResponse {
  return (await withoutRampProvider()).profile.post('/v1/ramp/org/kyb/start')
}

/** Nor can anything be simulated there. */
export async function sandboxOnly({ withoutRampProvider }: ErrorScenarioContext): RampResponse {
  return (await withoutRampProvider()).profile.post('/v1/ramp/org/simulate-transaction')
}
