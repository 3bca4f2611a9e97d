import { numberToHex } from 'viem'
import type { Operation } from '../../src/operations/index.ts'
import { USDC } from '../units.ts'
import type { TestClient } from './test-client.ts'
import type { EngineInUse } from './use-engine.ts'

export interface PlannedTogether {
  readonly client: TestClient
  readonly plan: Operation
}

interface Together {
  readonly wallets: number
  /** The wallets belong to this many organizations in turn. */
  readonly organizations?: number
  /** Runs after the transactions were sent, before their block is mined. */
  readonly beforeMining?: (plans: readonly PlannedTogether[]) => Promise<unknown>
}

/** Wallets that each have a supply of 10 USDC, whose two transactions are all in the latest block. */
export async function supplyTogether(
  { engine, dev }: Pick<EngineInUse, 'engine' | 'dev'>,
  { wallets, organizations = 1, beforeMining }: Together,
): Promise<PlannedTogether[]> {
  const owners: number[] = []
  for (let made = 0; made < organizations; made += 1) owners.push(await engine.organization())
  const clients = await Promise.all(
    Array.from({ length: wallets }, (_, index) =>
      engine.client({ organizationId: owners[index % organizations]!, usdc: 0n }),
    ),
  )
  for (const { address, usdcAddress } of clients)
    await dev.rpc('anvil_dealERC20', address, usdcAddress, numberToHex(100n * USDC))
  await engine.settle()
  await dev.mineAtOnce(false)
  const plans = await Promise.all(clients.map(async (client) => ({ client, plan: await client.supply(10n * USDC) })))
  await Promise.all(plans.map(({ client, plan }) => client.submitAll(plan)))
  await beforeMining?.(plans)
  await dev.mine(1)
  await dev.mineAtOnce(true)
  return plans
}

/** The states of the operations, each once. */
export async function statesOf(plans: readonly PlannedTogether[]): Promise<string[]> {
  const operations = await Promise.all(plans.map(({ client, plan }) => client.operation(plan)))
  return [...new Set(operations.map(({ state }) => state))]
}
