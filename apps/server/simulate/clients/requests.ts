import { isIssued, planSupply, planUnwind, submitSigned } from '../../src/operations/index.ts'
import { strategiesOnChain } from '../../src/venues/index.ts'
import { BY_KEY } from '../../testing/operations/requesters.ts'
import { expectHonestPlan, nonceBefore } from '../checks/plan.ts'
import type { EvmRun } from '../evm-run.ts'
import type { Random } from '../random.ts'
import type { SimulationRun } from '../simulation-run.ts'
import type { WalletAccount } from './wallet-account.ts'
import type { ClientBytes, WalletClient } from './wallet-client.ts'

export function clientOf(run: EvmRun, random: Random): WalletClient {
  const holders = run.holders.filter(({ accounts }) => accounts.length > 0)
  const [one, other, treasurys] = holders
  return treasurys && random.chance(0.8) ? random.pick([one!, other!]) : random.pick(holders)
}
export const bytesOf = (holder: WalletClient, random: Random): ClientBytes | undefined =>
  // Usually one of the newest; older ones may have been superseded, cancelled, expired or landed long ago.
  random.chance(0.7) ? holder.issued.slice(-3)[random.int(3)] : holder.issued[random.int(holder.issued.length)]

export interface PlanRequest {
  readonly holder: WalletClient
  readonly account: WalletAccount
  readonly random: Random
  /** Nothing else happens meanwhile, so the nonce is predictable. */
  readonly alone: boolean
}

/** Plans a supply. */
export async function supply(
  run: EvmRun,
  { holder, account, random, alone }: PlanRequest,
): Promise<() => Promise<void>> {
  const market = random.pick(run.world.markets)
  const strategy = (await strategiesOnChain(run.database.db, 'polygon')).find(({ key }) => key === market.key)!
  const amount = random.part(holder.balance(market.token), 1, random.chance(0.1) ? 130 : 70)
  const { scope, walletId } = account
  const nonce = alone ? await nonceBefore(run, holder.address) : undefined
  return async () => {
    const operation = await planSupply(run.service.parts, {
      scope,
      walletId,
      strategyId: strategy.id,
      amount,
      tokenAddress: market.token,
      requestedBy: BY_KEY,
    })
    holder.receive(account, operation.transactions.filter(isIssued))
    expectHonestPlan(run, holder, { operation, market, amount, nonce })
  }
}

export async function unwind(
  run: EvmRun,
  { holder, account, random, alone }: PlanRequest,
): Promise<() => Promise<void>> {
  const market = random.pick(run.world.markets)
  const strategy = (await strategiesOnChain(run.database.db, 'polygon')).find(({ key }) => key === market.key)!
  const full = random.chance(0.4)
  const amount = BigInt(random.between(1_000, 900_000_000))
  const { scope, walletId } = account
  const nonce = alone ? await nonceBefore(run, holder.address) : undefined
  const what = { amount: full ? ('full' as const) : amount }
  return async () => {
    const operation = await planUnwind(run.service.parts, {
      scope,
      walletId,
      strategyId: strategy.id,
      requestedBy: BY_KEY,
      ...what,
    })
    holder.receive(account, operation.transactions.filter(isIssued))
    expectHonestPlan(run, holder, { operation, market, amount: full ? undefined : amount, nonce })
  }
}

export function submit(
  run: EvmRun,
  holder: WalletClient,
  bytes: ClientBytes,
  feePercent = 100n,
): () => Promise<unknown> {
  const { account, transaction } = bytes
  const { operationId } = transaction
  const signedTransaction = holder.sign(bytes, feePercent)
  return () => submitSigned(run.service.parts, { scope: account.scope, operationId, signedTransaction })
}

export const named = ({ transaction }: ClientBytes) =>
  `${transaction.kind} ${transaction.transactionId} of operation ${transaction.operationId} with nonce ${transaction.nonce}`

export async function follow(run: SimulationRun): Promise<void> {
  await run.request('follow', () => run.service.round(new AbortController().signal))
}
