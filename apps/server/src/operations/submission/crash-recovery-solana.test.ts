import { afterAll, beforeAll, expect, test } from 'vitest'
import { secretOf, startTestSolana, type TestSolana } from '../../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import { type SolanaFixture, startSolanaFixture } from '../../../testing/operations/solana-fixture.ts'
import { expectOneOfEach, killAtEachPoint, startUntilDone } from '../../../testing/processes/crash-loop.ts'
import { USDC } from '../../../testing/units.ts'

/**
 * The same as crash-recovery.test.ts, where bytes have no nonces and expire: what was sent before a kill must
 * not be sent in another form after it (rule 1, 5). The cluster is followed by its wallets, as public ones are.
 */
const AMOUNT = 1_000n * USDC
const FUNDS = 10_000n * USDC

let solana: TestSolana
let engine: SolanaFixture
beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana, solana.byWallets())
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})

test('a Solana loop that is killed at a commit or a send and restarted ends as if nothing had happened', {
  timeout: 900_000,
}, async () => {
  const died = await killAtEachPoint(runLoop, 40)
  expect(died).toEqual(['died at after commit', 'died at after send', 'died at before commit', 'died at before send'])
})

async function runLoop(dieAt: number | string | undefined): Promise<string[]> {
  const client = await engine.client(FUNDS)
  await solana.devnet.resumeBlocks()
  const output = await startUntilDone(
    {
      databaseUrl: engine.databaseUrl,
      rpcUrl: solana.devnet.url,
      network: engine.chain.network,
      key: await secretOf(client.key),
      organizationId: client.wallet.organizationId,
      walletId: client.wallet.walletId,
      strategyId: engine.strategy.id,
      tokenAddress: engine.strategy.tokenAddress,
      amount: AMOUNT.toString(),
    },
    dieAt,
  )
  await solana.devnet.pauseBlocks()
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine, [client.wallet.walletId])
  expect(await expectOneOfEach(engine, client.wallet.walletId)).toBe(AMOUNT)
  expect(await client.usdc()).toBeGreaterThanOrEqual(FUNDS - 1n)
  return output
}
