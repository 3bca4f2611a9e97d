import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type AgentProcess, startAgentProcess } from '../testing/agent-process.ts'
import { startTreasury, type Treasury } from './treasury.ts'

let treasury: Treasury
const running: AgentProcess[] = []
beforeAll(async () => {
  treasury = await startTreasury()
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((agent) => agent.end()))
})
afterAll(() => treasury.stop())

async function start(more?: Readonly<Record<string, string>>): Promise<AgentProcess> {
  const agent = await startAgentProcess(await treasury.agent(more))
  running.push(agent)
  return agent
}

test.each(['polygon', 'ethereum', 'base', 'solana'])(
  'on %s the agent makes a wallet, deploys, takes a part back and then everything',
  async (blockchain) => {
    await start()
    const wallet = await treasury.monitored(blockchain, await treasury.createWallet(blockchain), 1_000n)
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
