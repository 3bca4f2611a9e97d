import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import { useChain } from '../../../testing/operations/use-chain.ts'
import { killAtEachPoint, startUntilDone } from '../../../testing/processes/crash-loop.ts'
import { createOperationalWallet, MANUAL_POLICY, setPolicy } from '../../../testing/rebalancing/operational-wallets.ts'
import { USDC } from '../../../testing/units.ts'
import { networkFromDeployment } from '../../chains/index.ts'

/**
 * Kills a process, as SIGKILL does, around each commit, write and send of a treasury that deploys and withdraws: while
 * it follows, rebalances, approves, issues work to an agent, signs, sends and reports, on a real chain and a real
 * database. The restarted process has only the database: no operation is lost, none is executed twice, no money stays
 * reserved, and the buffer is as configured (rule 1, 4, 5).
 */
const FUNDS = 1_000n * USDC
const BUFFER = 400n * USDC
const RAISED = 700n * USDC

/** The points that `npm test` visits; `npm run crash` visits all, including the sends (also in the agents' test). */
const POINTS = ['rebalance: before commit', 'approve: after commit', 'poll: before commit', 'poll: after commit']

const use = useChain()

test('a treasury that is killed at any point and restarted ends as if nothing had happened', {
  timeout: 900_000,
}, async () => {
  expect(await killAtEachPoint(runLoop, POINTS)).toEqual(expect.arrayContaining(POINTS.map((at) => `died at ${at}`)))
})

/** Both moves of a new wallet; the first process dies at that point. Returns the processes' output. */
async function runLoop(dieAt: number | string | undefined): Promise<string[]> {
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
  const output = await startUntilDone(input, dieAt, 'crashing-treasury')
  await expectOneEffectOfEach(client, dieAt)
  return output
}

async function expectOneEffectOfEach(client: TestClient, dieAt: number | string | undefined): Promise<void> {
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
  await expectValidLedger(use.engine)
  await expectLedgerMatchesChain(use.engine, [walletId])
  expect(await client.usdc()).toBe(RAISED)
}
