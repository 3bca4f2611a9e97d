import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../server/testing/until.ts'
import { startTreasury, type TreasuryFixture } from './treasury.ts'

/** The real agent as a process that the sandbox starts: every wallet here is made and signed for by it alone. */
let treasury: TreasuryFixture
beforeAll(async () => {
  treasury = await startTreasury()
})
afterAll(() => treasury?.stop())

interface Agent {
  readonly id: number
  readonly state: string
  readonly restarts: number
}
interface Monitored {
  readonly id: number
  readonly availableBalance: string
  readonly deployedBalance: string
}
let opWalletId: number

const agents = async () => (await treasury.people.get<{ data: Agent[] }>('/api/core/sandbox/agents')).body.data
const isRunning = async () => (await agents())[0]?.state === 'running'
const wallet = async () => {
  const { body } = await treasury.people.get<{ data: Monitored[] }>('/api/core/wallets/monitored')
  return body.data.find(({ id }) => id === opWalletId)!
}
const setBuffer = (bufferAmount: string) =>
  treasury.people.request('PUT', `/api/core/wallets/monitored/${opWalletId}/buffer-settings`, {
    body: { bufferAmount },
  })

/** Processes of agents whose folder is in the service's data folder. */
function processes(): number[] {
  const mine = `AGENT_DIR=${treasury.system.dataDir}/agents/`
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && textOf(`/proc/${name}/cmdline`).includes('apps/agent/src/main'))
    .filter(
      (name) => textOf(`/proc/${name}/environ`).includes(mine) && !textOf(`/proc/${name}/cmdline`).includes('/bin/sh'),
    )
    .map(Number)
}

/** Empty for a process that has ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

test('the sandbox’s agent makes a wallet, and signs what the rebalancer plans for its buffer', async () => {
  const started = await treasury.people.post<{ data: Agent }>('/api/core/sandbox/agents', { name: 'Mine' })
  expect(started.status).toBe(201)
  const made = await treasury.createWallet('polygon')
  expect(await isRunning()).toBe(true)
  const faucet = { walletAddress: made.address, blockchain: 'polygon', token: 'USDC', amount: '100000000000' }
  await treasury.system.profile.post('/v1/sandbox/faucet', faucet)
  const body = { orgWalletId: made.walletId, token: 'USDC', bufferAmount: '250.00', enableYield: true }
  const added = await treasury.people.post<{ data: { id: number } }>('/api/core/wallets/add-and-monitor', body)
  opWalletId = added.body.data.id
  await until(
    async () => (await wallet()).availableBalance === '250.00' && Number((await wallet()).deployedBalance) > 0,
  )
  expect(processes()).toHaveLength(1)
})

test('after a restart of the service the same agent goes on with the same keys', async () => {
  const before = await agents()
  await treasury.system.restart({ between: async () => expect(processes()).toEqual([]) })
  await until(isRunning)
  expect((await agents()).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  await setBuffer('600.00')
  await until(async () => (await wallet()).availableBalance === '600.00')
})

test('no agent outlives a killed service, and the next start goes on with it', async () => {
  await treasury.system.restart({ signal: 'SIGKILL', between: () => until(() => processes().length === 0) })
  await until(isRunning)
  await treasury.createWallet('base')
})

test('an agent that is killed is started again', async () => {
  const [killed] = processes()
  process.kill(killed!, 'SIGKILL')
  await until(async () => (await agents())[0]!.restarts === 1 && (await isRunning()))
  expect(processes()).toHaveLength(1)
  expect(processes()).not.toContain(killed)
  await treasury.createWallet('solana')
})

test('a stopped agent has no process and no key, and does not come back', async () => {
  const [{ id }] = (await agents()) as [Agent]
  const path = `/api/core/sandbox/agents/${id}`
  expect((await treasury.people.request('DELETE', path)).status).toBe(200)
  expect([processes(), await agents()]).toEqual([[], []])
  const keys = await treasury.people.get<{ data: { id: number }[] }>('/api/core/apikeys')
  expect(keys.body.data.map((key) => key.id)).not.toContain(id)
  expect((await treasury.people.request('DELETE', path)).status).toBe(404)
  await treasury.system.restart()
  expect(await agents()).toEqual([])
})
