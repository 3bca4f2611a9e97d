import { readdirSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../../server/testing/until.ts'
import { crashAgentAt, stallAgentAt, startAgentProcess } from '../testing/agent-process.ts'
import { type OperationalWallet, startTreasury, type TreasuryFixture } from './treasury.ts'

let treasury: TreasuryFixture
const wallets = new Map<string, OperationalWallet>()
/** Leases that expire soon after their holder is gone. */
const SHORT = { LEASE_MS: '1500' }
const AMOUNT = '10.00'

beforeAll(async () => {
  treasury = await startTreasury()
  const agent = await startAgentProcess(await treasury.agent())
  for (const blockchain of ['polygon', 'solana']) {
    const wallet = await treasury.createWallet(blockchain)
    wallets.set(blockchain, await treasury.operationalWallet(blockchain, wallet, 1_000n))
  }
  await agent.end()
})
afterAll(() => treasury.stop())

/** The effect of one deployment: the number of transactions and the deployed amount. */
async function deployment(wallet: OperationalWallet, act: (operationId: number) => Promise<unknown>) {
  const before = await picture(wallet)
  const operationId = await treasury.deploy(wallet, AMOUNT)
  await act(operationId)
  const operation = await treasury.finished(operationId)
  const after = await picture(wallet)
  return { status: operation.status, sent: after.sent - before.sent, deployed: after.deployed - before.deployed }
}

const running: { end(): Promise<unknown> }[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((agent) => agent.end()))
})

async function start(settings: Readonly<Record<string, string>>): Promise<void> {
  running.push(await startAgentProcess(settings))
}

async function picture(wallet: OperationalWallet) {
  const allocation = await treasury.allocationOf(wallet)
  return { sent: await treasury.sent(wallet), deployed: Number(allocation?.allocatedBase ?? 0) }
}

/** `npm test` visits one point of each kind; `npm run crash` visits all of them. */
const VISITS_ALL = process.env.CRASH_POINTS === 'all'
const some = <T>(all: readonly T[], few: readonly NoInfer<T>[]): readonly T[] => (VISITS_ALL ? all : few)

const KILLED = ['polled', 'signing', 'signed', 'journaled', 'sent', 'reported'] as const
const KILLS = { polygon: some(KILLED, ['signed', 'sent']), solana: some(KILLED, ['journaled']) }
const STALLED = ['signing', 'signed', 'journaled', 'sent'] as const
const STALLS = { polygon: some(STALLED, ['journaled']), solana: some(STALLED, ['sent']) }
const MAKING = some(['action-polled', 'key-made', 'key-journaled'] as const, ['key-made'])

const ONCE = {
  polygon: { status: 'COMPLETED', sent: 2, deployed: 10 },
  solana: { status: 'COMPLETED', sent: 1, deployed: 10 },
}

describe.each(['polygon', 'solana'] as const)('killed on %s', (blockchain) => {
  test.each(KILLS[blockchain])('at the step %s and restarted, it has one effect', async (step) => {
    const wallet = wallets.get(blockchain)!
    const settings = await treasury.agent(SHORT)
    const effect = await deployment(wallet, async () => {
      await crashAgentAt(step, settings)
      await start(settings)
    })
    expect(effect).toEqual(ONCE[blockchain])
  })
})

test('when the agent is killed at every step in turn, the deployment still has one effect', async () => {
  const settings = await treasury.agent(SHORT)
  const effect = await deployment(wallets.get('polygon')!, async () => {
    for (const step of ['polled', 'signed', 'journaled', 'reported', 'journaled'] as const) {
      await crashAgentAt(step, settings)
    }
    await start(settings)
  })
  expect(effect).toEqual(ONCE.polygon)
})

test.each(MAKING)('killed at the step %s, the agent creates one key and one wallet', async (step) => {
  const settings = { ...(await treasury.agent(SHORT)) }
  const keys = () => readdirSync(settings.KEYSTORE_DIR!).length
  const before = keys()
  const made = treasury.createWallet('base')
  await crashAgentAt(step, settings)
  await start(settings)
  expect((await made).address).toMatch(/^0x/)
  expect(keys()).toBe(before + 1)
})

describe.each(['polygon', 'solana'] as const)('stalled over its lease on %s', (blockchain) => {
  test.each(STALLS[blockchain])(
    'at the step %s while another agent takes over, the two together have one effect',
    async (step) => {
      const wallet = wallets.get(blockchain)!
      const [slow, quick] = [await treasury.agent(SHORT), await treasury.agent(SHORT)]
      const effect = await deployment(wallet, async (operationId) => {
        const stalled = await stallAgentAt(step, slow)
        running.push(stalled)
        await start(quick)
        await until(async () => (await treasury.operation(operationId)).status === 'COMPLETED')
        stalled.goOn()
        // It sends bytes that others have already sent, or finds that it has lost the lease.
        await until(() => /"msg":"sent"|the lease was lost|not completed; its lease/.test(stalled.log()))
      })
      expect(effect).toEqual(ONCE[blockchain])
    },
  )
})

test('a transaction that the chain drops is sent again from the journal and lands once', async () => {
  const settings = await treasury.agent({ ...SHORT, RESEND_MS: '300' })
  const wallet = wallets.get('polygon')!
  const effect = await deployment(wallet, async () => {
    await treasury.system.profile.post('/v1/sandbox/chain-faults', {
      blockchain: 'polygon',
      fault: 'drop_next',
      count: 2,
    })
    await start(settings)
  })
  expect(effect).toEqual(ONCE.polygon)
})
