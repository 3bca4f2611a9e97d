import pg from 'pg'
import type { ERRORS, ErrorCode } from '../../src/kernel/index.ts'
import type { Data, Operation, Strategy } from '../clients/api-types.ts'
import type { HttpResponse } from '../clients/client.ts'
import { ANONYMOUS, withKey, withToken } from '../clients/client.ts'
import { onChain } from '../clients/on-chain.ts'
import { registerOrganization } from '../clients/register-organization.ts'
import { createFundedWalletClient, createWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import type { System } from '../service/start-system.ts'
import type { ErrorScenarioContext } from './error-scenario-context.ts'
import * as ramp from './ramp-error-codes.ts'

/** What raises a code. */
export type ErrorScenario = (ground: ErrorScenarioContext) => Promise<HttpResponse<unknown>>

const TOKEN = 1_000_000n
const NOWHERE = 2 ** 40
const HASH = `0x${'ab'.repeat(32)}`
const CHAIN = 'polygon'

const fault = (system: System, name: string, count: number) =>
  system.profile.post('/v1/sandbox/chain-faults', { blockchain: CHAIN, fault: name, count })
const supply = (holder: WalletClient, strategy: Strategy, changes: object = {}) =>
  holder.client.post('/v1/operations/supply', { ...holder.supplyOf(strategy, TOKEN), ...changes })
const funded = ({ system }: ErrorScenarioContext) => createFundedWalletClient(system.profile, CHAIN, 10n * TOKEN)
const bare = ({ system }: ErrorScenarioContext) => createWalletClient(system.profile, CHAIN)

/** A wallet with a plan that waits for its signature. */
async function planned(ground: ErrorScenarioContext): Promise<{ holder: WalletClient; plan: Operation }> {
  const holder = await funded(ground)
  return { holder, plan: await holder.planSupply(ground.aave, TOKEN) }
}

const signed = async (holder: WalletClient, plan: Operation, changes: object = {}, more: object = {}) =>
  holder.client.post('/v1/transactions/submit-signed', {
    operationId: plan.operationId,
    signedTransaction: await holder.sign(plan.transactions[0]!, changes),
    ...more,
  })

/** Runs one statement without the service, then `work`, then undoes the statement. */
async function concurrently<T>(
  url: string,
  [disturb, repair]: readonly [string, string],
  work: () => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(disturb)
    return await work()
  } finally {
    await client.query(repair)
    await client.end()
  }
}

/** Raises every code of the registry over HTTP. A code without a scenario does not compile. */
export const ERROR_SCENARIOS: Readonly<Record<ErrorCode, ErrorScenario>> = {
  VALIDATION_ERROR: ({ system }) => system.profile.post('/v1/wallets/register', {}),
  INVALID_AMOUNT: async (ground) => supply(await bare(ground), ground.aave, { amount: '0' }),
  INVALID_ADDRESS: ({ system }) =>
    system.profile.post('/v1/wallets/register', { walletAddress: '0x12', blockchain: CHAIN }),
  INVALID_TOKEN: async (ground) => supply(await bare(ground), ground.aave, { tokenAddress: `0x${'12'.repeat(20)}` }),
  INSUFFICIENT_BALANCE: async (ground) => supply(await bare(ground), ground.aave),
  INSUFFICIENT_GAS: async (ground) => {
    const holder = await bare(ground)
    await holder.fund('USDC', 10n * TOKEN, false)
    return supply(holder, ground.aave)
  },
  STRATEGY_NOT_ACTIVE: async (ground) => supply(await bare(ground), await ground.system.strategy(CHAIN, 'Paused')),
  TOKEN_MISMATCH: async (ground) => {
    const { tokenAddress } = await ground.system.strategy(CHAIN, 'Aave V3 USDT')
    return supply(await bare(ground), ground.aave, { tokenAddress })
  },
  AMOUNT_OUT_OF_BOUNDS: async (ground) => supply(await bare(ground), await ground.system.strategy(CHAIN, 'Capped')),
  OPERATION_EXPIRED: async (ground) => {
    const { holder, plan } = await planned(ground)
    const { included, writer } = await onChain(ground.system, holder)
    await included(await writer.sendTransaction({ to: holder.account.address, value: 0n }))
    return signed(holder, plan)
  },
  OPERATION_ALREADY_SUBMITTED: async (ground) => {
    const { holder, plan } = await planned(ground)
    const { id: transactionId } = await holder.submit(plan, plan.transactions[0]!)
    const { operationId } = plan
    return holder.client.post('/v1/transactions/submit-hash', { operationId, transactionId, txHash: HASH })
  },
  INVALID_OPERATION_STATUS: async (ground) => {
    const { holder, plan } = await planned(ground)
    await holder.client.post(`/v1/operations/${plan.operationId}/cancel`)
    return holder.client.post(`/v1/operations/${plan.operationId}/cancel`)
  },
  SIMULATION_FAILED: async (ground) => {
    const holder = await funded(ground)
    await fault(ground.system, 'simulation_fails', 1)
    return supply(holder, ground.aave)
  },
  TRANSACTION_MISMATCH: async (ground) => {
    const { holder, plan } = await planned(ground)
    return signed(holder, plan, { value: 1n })
  },
  UNAUTHORIZED: ({ system }) => system.as(ANONYMOUS).get('/api/core/auth/me'),
  INVALID_API_KEY: ({ system }) => system.as(withKey('nobody gave this')).get('/v1/venues'),
  API_KEY_DISABLED: async ({ system }) => {
    const party = await registerOrganization(system)
    const { id, apiKey } = await party.key()
    await party.owner.delete(`/api/core/apikeys/${id}`)
    return system.as(withKey(apiKey)).get('/v1/venues')
  },
  FORBIDDEN: ({ system }) => system.admin.post('/v1/wallets/register', {}),
  NOT_FOUND: ({ system }) => system.as(ANONYMOUS).get('/api/core/nothing-of-this-name'),
  WALLET_NOT_FOUND: ({ system }) => system.profile.get(`/v1/wallets/${NOWHERE}`),
  VENUE_NOT_FOUND: ({ system }) => system.profile.get(`/v1/venues/${NOWHERE}`),
  STRATEGY_NOT_FOUND: async (ground) => supply(await bare(ground), ground.aave, { strategyId: NOWHERE }),
  ALLOCATION_NOT_FOUND: async (ground) => {
    const { walletId } = await bare(ground)
    return ground.system.profile.get(`/v1/allocations/strategy/${ground.aave.strategyId}?walletId=${walletId}`)
  },
  OPERATION_NOT_FOUND: ({ system }) => system.profile.get(`/v1/operations/${NOWHERE}`),
  TRANSACTION_NOT_FOUND: ({ system }) => system.profile.get(`/v1/transactions/${NOWHERE}`),
  ORGANIZATION_NOT_FOUND: async ({ system }) => {
    const party = await registerOrganization(system)
    const key = await party.client()
    const { name } = party.session.organization
    await party.owner.request('DELETE', '/api/core/organization', { body: { name } })
    return key.get('/v1/venues')
  },
  TOKEN_NOT_FOUND: async (ground) => {
    const { walletId } = await bare(ground)
    return ground.system.profile.get(`/v1/allocations/earnings?walletId=${walletId}&blockchain=${CHAIN}&token=DOGE`)
  },
  METHOD_NOT_ALLOWED: ({ system }) => system.profile.delete('/v1/venues'),
  CONFLICT: async ({ system }) => {
    const { email, password } = await registerOrganization(system)
    return system.as(ANONYMOUS).post('/api/core/auth/register', { email, password, organizationName: 'Twice' })
  },
  OPERATION_IN_PROGRESS: async (ground) => {
    const { holder, plan } = await planned(ground)
    await fault(ground.system, 'delay_next', 1)
    await holder.submit(plan, plan.transactions[0]!)
    return supply(holder, ground.aave)
  },
  IDEMPOTENCY_CONFLICT: async ({ system }) => {
    const idempotencyKey = `twice-${crypto.randomUUID()}`
    const { walletAddress } = await bare({ system } as ErrorScenarioContext)
    await system.profile.post('/v1/wallets/register', { walletAddress, blockchain: CHAIN }, { idempotencyKey })
    return system.profile.post('/v1/wallets/register', { walletAddress, blockchain: 'base' }, { idempotencyKey })
  },
  PAYLOAD_TOO_LARGE: ({ system }) =>
    system.profile.post('/v1/wallets/register', { walletAddress: 'x'.repeat(1_100_000) }),
  UNSUPPORTED_MEDIA_TYPE: ({ system }) =>
    system.profile.post('/v1/wallets/register', undefined, { raw: '{}', headers: { 'content-type': 'text/plain' } }),
  RATE_LIMIT_EXCEEDED: async ({ system }) => {
    const email = `nobody-${crypto.randomUUID()}@weir.example`
    const wrong = () => system.as(ANONYMOUS).post('/api/core/auth/login', { email, password: 'not the password' })
    for (let failures = 0; failures < 10; failures += 1) await wrong()
    return wrong()
  },
  CHAIN_UNAVAILABLE: async (ground) => {
    const holder = await funded(ground)
    await fault(ground.system, 'rpc_down', 1_000)
    try {
      return await supply(holder, ground.aave)
    } finally {
      await fault(ground.system, 'rpc_down', 0)
    }
  },
  // A simulated defect: a missing table.
  INTERNAL_ERROR: async ({ system, databaseUrl }) => {
    const party = await registerOrganization(system)
    const asOwner = system.as(withToken(party.session.accessToken))
    const away = [
      'alter table api_keys rename to api_keys_away',
      'alter table api_keys_away rename to api_keys',
    ] as const
    return concurrently(databaseUrl, away, () => asOwner.get('/api/core/apikeys'))
  },
  // The database is locked: someone else holds what the service needs.
  NOT_READY: async ({ system, databaseUrl }) => {
    const party = await registerOrganization(system)
    const asOwner = system.as(withToken(party.session.accessToken))
    const held = ['begin; lock table wallet_profiles in access exclusive mode', 'rollback'] as const
    return concurrently(databaseUrl, held, () => asOwner.get('/api/core/wallet-profiles'))
  },

  INVALID_TOKEN_SYMBOL: async ({ system }) => {
    const party = await registerOrganization(system)
    const { walletId } = await createWalletClient(await party.client(), 'base')
    return party.owner.post('/api/core/wallets/add-and-monitor', { orgWalletId: walletId, token: 'USDT' })
  },
  LEASE_LOST: async ({ system }) => {
    const party = await registerOrganization(system)
    const agent = await party.client()
    await party.owner.post('/api/core/custody/actions/create-wallet', { blockchain: CHAIN, label: 'Vault' })
    const { body } = await agent.post<Data<{ action: { id: number } }>>('/api/agent/actions/poll', {})
    const report = { status: 'FAILED', error: 'no key was made', leaseToken: 'another agent' }
    return agent.post(`/api/agent/actions/${body.data.action.id}/report`, report)
  },
  KYB_NOT_APPROVED: ramp.kybNotApproved,
  RECIPIENT_ADDRESS_REQUIRED: ramp.recipientAddressRequired,
  RECIPIENT_ARCHIVED: ramp.recipientArchived,
  ASSET_NOT_SUPPORTED: ramp.assetNotSupported,
  RECIPIENT_NOT_FOUND: ramp.recipientNotFound,
  ACCOUNT_NOT_FOUND: ramp.accountNotFound,
  RAMP_UNAVAILABLE: ramp.rampUnavailable,
  SANDBOX_ONLY: ramp.sandboxOnly,
} satisfies Record<keyof typeof ERRORS, ErrorScenario>
