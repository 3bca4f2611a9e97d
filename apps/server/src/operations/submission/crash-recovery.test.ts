import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { expectOneOfEach, killAtEachPoint, startUntilDone } from '../../../testing/crash-loop.ts'
import { expectBooks, expectChain } from '../../../testing/expect-books.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { USDC } from '../../../testing/units.ts'
import { useChain } from '../../../testing/use-chain.ts'
import { networkFromDeployment } from '../../chains/index.ts'

/**
 * A process is killed, as by SIGKILL, before and after each commit and each send of one whole loop, supply and full
 * withdrawal, on a real chain and a real database. What is started again knows nothing but the database, and must come to
 * the same end: no operation lost, none carried out twice, nothing held for ever (rule 5).
 */
const AMOUNT = 1_000n * USDC
const FUNDS = 10_000n * USDC
const STRATEGY = 'erc4626:polygon:USDC'

const use = useChain()

test('killed at a commit or a send, and started again, the loop ends as if nothing had happened', {
  timeout: 900_000,
}, async () => {
  expect(await killAtEachPoint(runLoop, 16)).toEqual([
    'died at after commit',
    'died at after send',
    'died at before commit',
    'died at before send',
  ])
})

/** The whole loop of a new wallet; the first process dies at that point. Returns what the processes said. */
async function runLoop(dieAt: number | undefined): Promise<string[]> {
  const key = generatePrivateKey()
  const client = await use.engine.client({ key, usdc: FUNDS })
  const strategy = use.engine.strategy(STRATEGY)
  const said = await startUntilDone(
    {
      databaseUrl: use.engine.databaseUrl,
      rpcUrl: use.dev.url,
      network: networkFromDeployment(use.dev.deployment),
      key,
      organizationId: client.wallet.organizationId,
      walletId: client.wallet.walletId,
      strategyId: strategy.id,
      tokenAddress: strategy.tokenAddress,
      amount: AMOUNT.toString(),
    },
    dieAt,
  )
  await expectOneEffect(client)
  return said
}

async function expectOneEffect(client: TestClient): Promise<void> {
  await expectBooks(use.engine)
  await expectChain(use.engine, [client.wallet.walletId])
  expect(await expectOneOfEach(use.engine, client.wallet.walletId)).toBe(AMOUNT)
  expect(await client.usdc()).toBeGreaterThanOrEqual(FUNDS - 1n)
}
