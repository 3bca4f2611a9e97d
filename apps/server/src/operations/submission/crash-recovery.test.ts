import { generatePrivateKey } from 'viem/accounts'
import { expect, test } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../testing/ledger/expect-ledger.ts'
import type { TestClient } from '../../../testing/operations/test-client.ts'
import { useChain } from '../../../testing/operations/use-chain.ts'
import { expectOneOfEach, killAtEachPoint, startUntilDone } from '../../../testing/processes/crash-loop.ts'
import { USDC } from '../../../testing/units.ts'
import { networkFromDeployment } from '../../chains/index.ts'
import { readAllowance } from '../../venues/index.ts'
import { cancelOperation } from './cancel-operation.ts'

/**
 * Kills a process, as SIGKILL does, before and after each commit and send of one whole loop, a supply and a full
 * withdrawal, on a real chain and a real database. The restarted process has only the database, and must reach the same
 * end: no operation is lost, none is executed twice, no money stays reserved (rule 5).
 */
const AMOUNT = 1_000n * USDC
const FUNDS = 10_000n * USDC
const STRATEGY = 'erc4626:polygon:USDC'

const use = useChain()

test('a loop that is killed at a commit or a send and restarted ends as if nothing had happened', {
  timeout: 900_000,
}, async () => {
  expect(await killAtEachPoint(runLoop, 16)).toEqual([
    'died at after commit',
    'died at after send',
    'died at before commit',
    'died at before send',
  ])
})

test('a revocation that is killed at a send and restarted leaves no allowance, and is done once', async () => {
  const died = await killAtEachPoint(runRevocation, ['before send', 'after send'])
  expect(died).toEqual(['died at after send', 'died at before send'])
})

/** The whole loop of a new wallet; the first process dies at that point. Returns the processes' output. */
async function runLoop(dieAt: number | string | undefined): Promise<string[]> {
  const key = generatePrivateKey()
  const client = await use.engine.client({ key, usdc: FUNDS })
  const output = await runProgram(client, key, AMOUNT.toString(), dieAt)
  await expectOneEffect(client)
  return output
}

/** Of what a cancelled supply of a new wallet left. */
async function runRevocation(dieAt: number | string | undefined): Promise<string[]> {
  const key = generatePrivateKey()
  const client = await use.engine.client({ key, usdc: FUNDS })
  const supply = await client.supply(AMOUNT, STRATEGY)
  await use.dev.included(await client.send(supply.transactions[0]!))
  await cancelOperation(use.engine.parts, client.scope, supply.operationId)
  const output = await runProgram(client, key, null, dieAt)
  const revocations = await use.engine.db
    .selectFrom('operations')
    .select('state')
    .where('wallet_id', '=', client.wallet.walletId)
    .where('type', '=', 'REVOKE')
    .execute()
  expect(revocations).toEqual([{ state: 'COMPLETED' }])
  expect((await readAllowance(use.engine.chain, use.engine.strategy(STRATEGY), client.address))!.amount).toBe(0n)
  expect(await client.usdc()).toBe(FUNDS)
  await expectValidLedger(use.engine)
  return output
}

function runProgram(
  client: TestClient,
  key: string,
  amount: string | null,
  dieAt: number | string | undefined,
): Promise<string[]> {
  const strategy = use.engine.strategy(STRATEGY)
  return startUntilDone(
    {
      databaseUrl: use.engine.databaseUrl,
      rpcUrl: use.dev.url,
      network: networkFromDeployment(use.dev.deployment),
      key,
      organizationId: client.wallet.organizationId,
      walletId: client.wallet.walletId,
      strategyId: strategy.id,
      tokenAddress: strategy.tokenAddress,
      amount,
    },
    dieAt,
  )
}

async function expectOneEffect(client: TestClient): Promise<void> {
  await expectValidLedger(use.engine)
  await expectLedgerMatchesChain(use.engine, [client.wallet.walletId])
  expect(await expectOneOfEach(use.engine, client.wallet.walletId)).toBe(AMOUNT)
  expect(await client.usdc()).toBeGreaterThanOrEqual(FUNDS - 1n)
}
