import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allowListJson, sandboxAllowList } from '@weir/verify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from '../../server/testing/stand-ins/trace-collector.ts'
import { until } from '../../server/testing/until.ts'
import { startWebhookReceiver } from '../../server/testing/webhooks/webhook-receiver.ts'
import { type AgentProcess, startAgentProcess } from '../testing/agent-process.ts'
import { startKeyService } from '../testing/key-service.ts'
import { startReferenceSigner } from '../testing/reference-signer.ts'
import { startTamperingService } from '../testing/tampering-service.ts'
import { startTreasury, type TreasuryFixture } from './treasury.ts'

const SECRET = 'a secret of more than thirty-two characters'
const SIGNERS = {
  http: async () => {
    const service = await startReferenceSigner(SECRET)
    return { service, settings: { SIGNER: 'http', SIGNER_URL: service.url, SIGNER_SECRET: SECRET } }
  },
  kms: async () => {
    const service = await startKeyService()
    const credentials = { AWS_ACCESS_KEY_ID: 'test', AWS_SECRET_ACCESS_KEY: 'test' }
    return {
      service,
      settings: { SIGNER: 'kms', KMS_REGION: 'eu-central-1', KMS_ENDPOINT: service.url, ...credentials },
    }
  },
} as const

const STEPS_OF_A_DEPOSIT = [
  'operation planned',
  'transaction leased',
  'transaction submitted',
  'transaction final',
  'operation settled',
]

type Handed = Parameters<Parameters<typeof startTamperingService>[1]>[0]

let treasury: TreasuryFixture
let collector: TraceCollector
const running: AgentProcess[] = []
beforeAll(async () => {
  collector = await startTraceCollector()
  treasury = await startTreasury({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((agent) => agent.end()))
})
afterAll(async () => {
  await treasury.stop()
  await collector.close()
})

async function start(more?: Readonly<Record<string, string>>): Promise<AgentProcess> {
  const agent = await startAgentProcess(await treasury.agent(more))
  running.push(agent)
  return agent
}

/** `npm test` covers one chain of each family; `npm run crash` covers all of them. */
const CHAINS = process.env.CRASH_POINTS === 'all' ? ['polygon', 'ethereum', 'base', 'solana'] : ['polygon', 'solana']

test.each(CHAINS)(
  'on %s the agent creates a wallet, deploys, withdraws a part and then everything',
  async (blockchain) => {
    await start()
    const wallet = await treasury.operationalWallet(blockchain, await treasury.createWallet(blockchain), 1_000n)
    expect(await treasury.finished(await treasury.deploy(wallet, '600.00'))).toMatchObject({ status: 'COMPLETED' })
    const allocation = (await treasury.allocationOf(wallet))!
    expect(allocation.allocatedBase).toBe('600.00')
    const part = await treasury.finished(await treasury.withdraw(allocation.id, { amount: '250.50' }))
    expect(part).toMatchObject({ status: 'COMPLETED', type: 'UNWIND' })
    const rest = await treasury.finished(await treasury.withdraw(allocation.id, { full: true }))
    expect(rest).toMatchObject({ status: 'COMPLETED', type: 'UNWIND' })
    expect(await treasury.allocationOf(wallet)).toBeUndefined()
  },
)

test('traces connect an operation with its request, the agent’s reports, the chain and its webhook', async () => {
  const receiver = await startWebhookReceiver()
  const url = `${receiver.url}/a-secret-path`
  await treasury.people.post('/api/core/webhooks', { url, events: ['operation.completed'] })
  const { WEIR_API_KEY } = await treasury.agent()
  await start()
  const wallet = await treasury.operationalWallet('polygon', await treasury.createWallet('polygon'), 100n)
  const id = await treasury.deploy(wallet, '50.00')
  expect(await treasury.finished(id)).toMatchObject({ status: 'COMPLETED' })

  const delivery = await until(() =>
    collector
      .spans()
      .find(({ name, attributes }) => name === 'webhook delivery' && attributes['weir.operation_id'] === id),
  )
  await receiver.close()
  const { traceId, spanId } = delivery
  expect(receiver.received.map(({ headers }) => headers.traceparent)).toContain(`00-${traceId}-${spanId}-01`)
  /** Undefined while a span above it has not ended. */
  const rootOf = (span: CollectedSpan | undefined): CollectedSpan | undefined =>
    span?.parentSpanId === undefined ? span : rootOf(collector.spans().find((one) => one.spanId === span.parentSpanId))
  expect(rootOf(delivery)?.name).toBe('operation planned')
  /** What caused a step: the trace of the span that it links to, which links back. */
  const causeOf = (step: string): string => {
    const found = collector.spans().find((one) => one.traceId === traceId && one.name === step)!
    expect(rootOf(found)?.name).toBe('operation planned')
    const cause = collector.spans().find((one) => one.spanId === found.links[0]?.spanId)!
    expect(cause.links).toContainEqual({ traceId, spanId: found.spanId })
    return rootOf(cause)!.name
  }
  const causes = await until(() => Object.fromEntries(STEPS_OF_A_DEPOSIT.map((step) => [step, causeOf(step)] as const)))
  expect(causes).toEqual({
    'operation planned': 'POST /api/v1/allocations',
    'transaction leased': 'POST /api/agent/transactions/poll',
    'transaction submitted': 'POST /api/agent/transactions/:id/report',
    'transaction final': 'job follow polygon',
    'operation settled': 'job follow polygon',
  })
  const inside = (root: string) => collector.spans().flatMap((one) => (rootOf(one)?.name === root ? [one.name] : []))
  expect(inside('POST /api/v1/allocations')).toContain('transaction')
  expect(inside('job follow polygon').filter((name) => name.startsWith('eth_'))).not.toEqual([])

  const sent = collector.requests.map(({ body }) => body).join('')
  const { password, organizationApiKey, profileApiKey } = treasury.system.credentials
  const secrets = [WEIR_API_KEY!, password, organizationApiKey, profileApiKey, 'a-secret-path', '50.00']
  expect(secrets.filter((secret) => sent.includes(secret))).toEqual([])
})

/** Own files of an agent: a list in which one transaction moves 500 USDC at most, and limits over time. */
async function ownRules(limits: object): Promise<{ ALLOW_LIST: string; LIMITS: string }> {
  const list = allowListJson(sandboxAllowList) as { chains: { tokens: { maxAmount?: string }[] }[] }
  for (const token of list.chains.flatMap(({ tokens }) => tokens)) token.maxAmount = '500'
  const written = async (name: string, json: object) => {
    const path = join(treasury.system.dataDir, `${crypto.randomUUID()}-${name}.json`)
    await writeFile(path, JSON.stringify(json))
    return path
  }
  return { ALLOW_LIST: await written('list', list), LIMITS: await written('limits', { version: 1, ...limits }) }
}

test.each(CHAINS)(
  'on %s the agent measures a full withdrawal and bounds it, whatever the service says',
  async (blockchain) => {
    const rules = await ownRules({ amounts: [{ token: 'USDC', perDay: '10000' }] })
    // A service that declares one token for the whole position. It serves no chain.
    const lying = await startTamperingService(treasury.system.process.url, ({ metadata, ...rest }) => {
      return { ...rest, metadata: metadata.full === true ? { ...metadata, amount: '1.00' } : metadata }
    })
    const rpc = `${treasury.system.process.url}/sandbox/rpc/${blockchain}`
    const agent = await start({ ...rules, WEIR_URL: lying.url, [`${blockchain.toUpperCase()}_RPC_URL`]: rpc })
    const wallet = await treasury.operationalWallet(blockchain, await treasury.createWallet(blockchain), 1_000n)
    const deployed = async (amount: string) => {
      expect(await treasury.finished(await treasury.deploy(wallet, amount))).toMatchObject({ status: 'COMPLETED' })
      return (await treasury.allocationOf(wallet))!.id
    }
    const withdrawn = async (id: number) => treasury.finished(await treasury.withdraw(id, { full: true }))
    expect(await withdrawn(await deployed('400.00'))).toMatchObject({ status: 'COMPLETED' })
    await deployed('400.00')
    const id = await deployed('300.00')
    const before = await treasury.sent(wallet)
    const whole = await withdrawn(id)
    expect(whole).toMatchObject({ status: 'FAILED', type: 'UNWIND' })
    expect(JSON.stringify(whole)).toMatch(/OVER_LIMIT: the whole position is (700|699\.9)\S* USDC, which is more/)
    expect(await treasury.sent(wallet)).toBe(before)
    const metrics = await (await fetch(`${agent.url}/metrics`)).text()
    // In, out, and in again; what the agent refused does not count.
    expect(metrics).toMatch(/weir_agent_limit_used_ratio\{limit="USDC",window="day"\} 0\.1(5|499)/)
    await agent.end()
    await lying.close()
  },
)

test.each([
  [
    'many small moves',
    'LIMIT_REACHED: 60 USDC would exceed the agent\'s limit \\"USDC\\" of 150 USDC per hour',
    {
      amounts: [{ token: 'USDC', perHour: '150' }],
    },
  ],
  ['gas', 'FEE_BUDGET_REACHED: a fee of up to ', { fees: [{ blockchain: 'solana', perDay: '2100000' }] }],
])('the limit of %s refuses with a reason that people read, and nothing is sent', async (_name, reason, limits) => {
  const agent = await start(await ownRules(limits))
  await until(() => /"limits":\["(USDC: 150 USDC per hour|fees on solana: 2100000 per day)"\]/.test(agent.log()))
  const wallet = await treasury.operationalWallet('solana', await treasury.createWallet('solana'), 1_000n)
  const before = await treasury.sent(wallet)
  let [completed, last] = [0, await treasury.finished(await treasury.deploy(wallet, '60.00'))]
  while (last.status === 'COMPLETED') {
    completed += 1
    last = await treasury.finished(await treasury.deploy(wallet, '60.00'))
  }
  expect(JSON.stringify(last)).toContain(reason)
  expect(completed).toBeGreaterThan(0)
  expect(await treasury.sent(wallet)).toBe(before + completed)
})

test.each([
  ['http', 'solana'],
  ['kms', 'polygon'],
  ['kms', 'solana'],
] as const)('with a signer of kind %s it makes a wallet on %s and deploys from it', async (kind, blockchain) => {
  const { service, settings } = await SIGNERS[kind]()
  await start(settings)
  const wallet = await treasury.operationalWallet(blockchain, await treasury.createWallet(blockchain), 100n)
  expect(await treasury.finished(await treasury.deploy(wallet, '75.00'))).toMatchObject({ status: 'COMPLETED' })
  await service.close()
})

test('an agent leaves transactions of another agent’s wallet to that agent', async () => {
  const owner = await start()
  const wallet = await treasury.operationalWallet('base', await treasury.createWallet('base'), 100n)
  await owner.end()
  const stranger = await start({
    KEYSTORE_DIR: `${treasury.system.dataDir}/other-keys`,
    UNKNOWN_WALLET: 'leave',
    LEASE_MS: '1000',
  })
  const operationId = await treasury.deploy(wallet, '75.00')
  await until(() => stranger.log().includes('left for an agent that holds the key'))
  await start()
  expect(await treasury.finished(operationId)).toMatchObject({ status: 'COMPLETED' })
})

test.each([
  [
    'names another receiver',
    'WRONG_BENEFICIARY',
    'polygon',
    ({ unsignedTx, metadata, ...rest }: Handed) => {
      const own = String(metadata.walletAddress).slice(2).toLowerCase()
      return { ...rest, metadata, unsignedTx: unsignedTx.replaceAll(own, '8617e340b3d01fa5f11f306f4090fd50e238070d') }
    },
  ],
  [
    'says less than it moves',
    'WRONG_AMOUNT',
    'solana',
    ({ metadata, ...rest }: Handed) => ({ ...rest, metadata: { ...metadata, amount: '1.00' } }),
  ],
] as const)(
  'nothing is signed for a service that %s: %s, and the operation fails',
  async (_name, code, blockchain, tamper) => {
    const honest = await start()
    const wallet = await treasury.operationalWallet(blockchain, await treasury.createWallet(blockchain), 100n)
    await honest.end()
    const service = await startTamperingService(treasury.system.process.url, (transaction) =>
      // The deposit names the receiver; the approval before it is valid.
      transaction.metadata.step === 'APPROVE_TOKEN' ? transaction : tamper(transaction),
    )
    const before = await treasury.sent(wallet)
    const rpc = `${treasury.system.process.url}/sandbox/rpc/${blockchain}`
    const agent = await start({ WEIR_URL: service.url, [`${blockchain.toUpperCase()}_RPC_URL`]: rpc })
    const operation = await treasury.finished(await treasury.deploy(wallet, '50.00'))
    expect(operation.status).toBe('FAILED')
    expect(agent.log()).toContain(code)
    // The approval may have been sent; the tampered transaction never.
    expect(await treasury.sent(wallet)).toBe(before + (blockchain === 'solana' ? 0 : 1))
    await agent.end()
    await service.close()
  },
)

test('funds above the buffer are deployed automatically and return when the buffer is raised', async () => {
  await start()
  const { walletId, address } = await treasury.createWallet('base')
  const wallet = await treasury.operationalWallet('base', { walletId, address }, 500n)
  const settings = (body: object) =>
    treasury.people.request('PUT', `/api/core/wallets/monitored/${wallet.opWalletId}/buffer-settings`, { body })
  await settings({ enableYield: true, bufferAmount: '200.00' })
  await until(async () => Number((await treasury.allocationOf(wallet))?.allocatedBase) === 300)
  await settings({ enableYield: true, bufferAmount: '350.00' })
  await until(async () => (await treasury.available(wallet)) >= 350)
  expect(await treasury.available(wallet)).toBeLessThan(351)
})

test.each([
  ['Queued USDC', { pendingExits: 'settle' }],
  ['Cooldown USDC', { cooldownSeconds: 0 }],
])('a withdrawal from %s is requested, waits, and is claimed by Weir when it can be', async (name, ends) => {
  const rpc = `${treasury.system.process.url}/sandbox/rpc/polygon`
  await start({ ...(await ownRules({ amounts: [{ token: 'USDC', perDay: '10000' }] })), POLYGON_RPC_URL: rpc })
  const { people, system } = treasury
  const wallet = await treasury.operationalWallet('polygon', await treasury.createWallet('polygon'), 500n)
  const { body: venues } = await system.profile.get<{
    venues: { strategies: { strategyId: number; name: string }[] }[]
  }>('/v1/venues')
  const strategyId = venues.venues.flatMap(({ strategies }) => strategies).find((one) => one.name === name)!.strategyId
  const state = (body: object) => system.profile.post(`/v1/sandbox/strategies/${strategyId}/state`, body)
  const body = { opWalletId: wallet.opWalletId, amount: '400.00', asset: 'USDC', strategyId }
  const deployed = await people.post<{ data: { operationId: number } }>('/api/v1/allocations', body)
  expect(await treasury.finished(deployed.body.data.operationId)).toMatchObject({ status: 'COMPLETED' })
  const { id } = (await treasury.allocationOf(wallet))!
  const request = await treasury.finished(await treasury.withdraw(id, { amount: '150.00' }))
  expect(request).toMatchObject({ status: 'COMPLETED', type: 'UNWIND', exitStep: 'request' })

  type Exit = { id: number; status: string; pending: string; claimed: string; walletId: number }
  const exit = async () => {
    const read = await people.get<{ data: { exits: Exit[] } }>(`/api/core/exits?walletId=${wallet.walletId}`)
    return read.body.data.exits[0]!
  }
  expect(await exit()).toMatchObject({ status: 'pending', claimed: '0.00' })
  expect(Number((await exit()).pending)).toBeCloseTo(150, 1)
  expect(await treasury.available(wallet)).toBe(100)
  expect(await state(ends)).toMatchObject({ status: 200 })
  await until(async () => (await exit()).status === 'claimed')
  expect(await treasury.available(wallet)).toBeCloseTo(250, 1)
  const claimed = await exit()
  expect((await people.get(`/api/core/exits/${claimed.id}`)).body).toMatchObject({ data: claimed })
  const { body: breaks } = await people.get<{ data: { open: number } }>('/api/core/breaks')
  expect(breaks.data.open).toBe(0)
  if (name === 'Cooldown USDC') await state({ cooldownSeconds: 604_800 })
})
