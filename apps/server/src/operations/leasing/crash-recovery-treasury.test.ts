import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { killAtEachPoint, startUntilDone } from '../../../testing/crash-loop.ts'
import { expectBooks, expectChain } from '../../../testing/expect-books.ts'
import { createOperationalWallet, MANUAL_POLICY, setPolicy } from '../../../testing/operational-wallets.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { USDC } from '../../../testing/units.ts'
import { useChain } from '../../../testing/use-chain.ts'
import { networkFromDeployment } from '../../chains/index.ts'

/**
 * A process is killed, as by SIGKILL, around each commit, each write and each send of a treasury that deploys and takes
 * back: while it follows, rebalances, approves, gives work to an agent, signs, sends and reports, on a real chain and a
 * real database. What is started again knows nothing but the database: no operation is lost, none is carried out twice,
 * nothing is held for ever, and the buffer is as it was asked for (rule 1, 4, 5).
 */
const FUNDS = 1_000n * USDC
const BUFFER = 400n * USDC
const RAISED = 700n * USDC

/** What `npm test` visits; `npm run crash` visits every point, among them the sends, which agents' crashes visit too. */
const POINTS = ['rebalance: before commit', 'approve: after commit', 'poll: before commit', 'poll: after commit']

const use = useChain()

test('killed anywhere, and started again, a treasury ends as if nothing had happened', {
  timeout: 900_000,
}, async () => {
  expect(await killAtEachPoint(runLoop, POINTS)).toEqual(expect.arrayContaining(POINTS.map((at) => `died at ${at}`)))
})

/** Both moves of a new wallet; the first process dies at that point. Returns what the processes said. */
async function runLoop(dieAt: number | undefined): Promise<string[]> {
  const key = generatePrivateKey()
  const client = await use.engine.client({ key, usdc: FUNDS })
  const { organizationId, opWalletId } = await createOperationalWallet(use.engine, client, 400n * USDC)
  await setPolicy(use.engine, organizationId, MANUAL_POLICY)
  const { id: userId } = await use.engine.db
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  const input = {
    databaseUrl: use.engine.databaseUrl,
    rpcUrl: use.dev.url,
    network: networkFromDeployment(use.dev.deployment),
    key,
    organizationId,
    opWalletId,
    userId,
    raisedBuffer: `${700n * USDC}`,
  }
  const said = await startUntilDone(input, dieAt, 'crashing-treasury')
  await expectOneEffectOfEach(client, dieAt)
  return said
}

async function expectOneEffectOfEach(client: TestClient, dieAt: number | undefined): Promise<void> {
  const { organizationId, walletId } = client.wallet
  const operations = await use.engine.db
    .selectFrom('operations')
    .select(['type', 'state', 'settled_amount'])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
  expect(operations, `killed at point ${dieAt}`).toEqual([
    { type: 'SUPPLY', state: 'COMPLETED', settled_amount: FUNDS - BUFFER },
    { type: 'UNWIND', state: 'COMPLETED', settled_amount: RAISED - BUFFER },
  ])
  await expectBooks(use.engine)
  await expectChain(use.engine, [walletId])
  expect(await client.usdc()).toBe(RAISED)
}
