import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { startProgram } from '../../testing/index.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../testing/ledger/expect-ledger.ts'
import { useChain } from '../../testing/operations/use-chain.ts'
import type { AgentCrashingInput } from '../../testing/programs/crashing-agent.ts'
import { createOperationalWallet } from '../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../testing/units.ts'
import { networkFromDeployment } from '../chains/index.ts'

/**
 * An agent and the engine are killed, as by SIGKILL, before and after each commit and each send of a supply and its
 * withdrawal: between plan and claim, claim and bytes, bytes and signature, send and report. The restarted processes
 * know only the database and the chain, and each transaction must have exactly one effect.
 */
const AMOUNT = 1_000n * USDC
const FUNDS = 10_000n * USDC
/**
 * Each point costs two processes: `npm run crash` visits all of them, `npm test` every send and every twentieth commit.
 */
const VISITS_ALL = process.env.CRASH_POINTS === 'all'
const EVERY = 20
/** A process that dies at the same place again and again would never finish. */
const STARTS_MAX = 4

const use = useChain()

test('after a crash at a commit or a send and a restart, each transaction has exactly one effect', {
  timeout: 900_000,
}, async () => {
  const whole = await runLoop(undefined)
  const labels = JSON.parse(whole.at(-1)?.replace('done ', '') ?? '[]') as string[]
  expect(labels.length).toBeGreaterThan(20)
  const visited = labels.flatMap((label, index) =>
    VISITS_ALL || label.endsWith('send') || index % EVERY < 1 ? [index + 1] : [],
  )
  for (const dieAt of visited) expect((await runLoop(dieAt))[0], `point ${dieAt}`).toMatch(/^died at/)
})

/** The whole cycle of a new wallet; the first process dies at that point. Returns the output of the processes. */
async function runLoop(dieAt: number | undefined): Promise<string[]> {
  const key = generatePrivateKey()
  const client = await use.engine.client({ key, usdc: FUNDS })
  const { opWalletId } = await createOperationalWallet(use.engine, client)
  const { organizationId, walletId } = client.wallet
  const output: string[] = []
  for (let start = 0; start < STARTS_MAX; start += 1) {
    const input: AgentCrashingInput = {
      databaseUrl: use.engine.databaseUrl,
      rpcUrl: use.dev.url,
      network: networkFromDeployment(use.dev.deployment),
      key,
      organizationId,
      walletId,
      opWalletId,
      strategyId: use.engine.strategy('erc4626:polygon:USDC').id,
      amount: AMOUNT.toString(),
      start,
      ...(start === 0 && dieAt !== undefined ? { dieAt } : {}),
    }
    const child = startProgram('crashing-agent', [JSON.stringify(input)])
    const line = await child.line('')
    output.push(line)
    await child.kill()
    if (line.startsWith('done')) break
  }
  expect(output.at(-1), `killed at point ${dieAt}`).toMatch(/^done/)
  const ended = use.engine.db
    .selectFrom('operations')
    .select(['type', 'state'])
    .where('wallet_id', '=', walletId)
    .orderBy('id')
  expect(await ended.execute(), `killed at point ${dieAt}`).toEqual([
    { type: 'SUPPLY', state: 'COMPLETED' },
    { type: 'UNWIND', state: 'COMPLETED' },
  ])
  const count = Number(await use.dev.rpc<string>('eth_getTransactionCount', client.address, 'latest'))
  expect(count, 'approval, supply, withdrawal').toBe(3)
  await expectValidLedger(use.engine)
  await expectLedgerMatchesChain(use.engine, [walletId])
  return output
}
