import { keccak256, parseAbi } from 'viem'
import { expect } from 'vitest'
import { until } from '../../testing/until.ts'
import type { Operation, Strategy, Transaction } from '../clients/api-types.ts'
import { onChain } from '../clients/on-chain.ts'
import { createSolanaWalletClient } from '../clients/solana-wallet-client.ts'
import { createFundedWalletClient, createWalletClient, type WalletClient } from '../clients/wallet-client.ts'
import type { System } from '../service/start-system.ts'

/** How to make a transaction fail: its operation, and which of its transactions shows the code. */
export interface FailureScenario {
  readonly read: () => Promise<Operation>
  readonly position: number
  /** A pattern that its explanation must match. */
  readonly explanation: RegExp
  readonly reason?: RegExp
}

const TOKEN = 1_000_000n
const CHAIN = 'polygon'
const TOKENS = parseAbi(['function transferFrom(address from, address to, uint256 amount) returns (bool)'])
/** Enough lamports for an account to exist and pay fees, but less than another token account costs. */
const BARELY = 1_000_000n

/** The service's timeouts for pending transactions in these scenarios. */
export const TIMEOUTS = { DROPPED_AFTER_SECONDS: '10', INCLUSION_TIMEOUT_SECONDS: '15' }

const fault = (system: System, name: string) =>
  system.profile.post('/v1/sandbox/chain-faults', { blockchain: CHAIN, fault: name, count: 1 })

async function planned(
  system: System,
): Promise<{ holder: WalletClient; aave: Strategy; plan: Operation; first: Transaction }> {
  const aave = await system.strategy(CHAIN, 'Aave V3 USDC')
  const holder = await createFundedWalletClient(system.profile, CHAIN, 10n * TOKEN)
  const plan = await holder.planSupply(aave, 10n * TOKEN)
  return { holder, aave, plan, first: plan.transactions[0]! }
}

const confirmed = (holder: WalletClient, { operationId }: Operation, position: number) =>
  until(async () => (await holder.read(operationId)).transactions[position]!.status === 'confirmed')

const reported = async (holder: WalletClient, { operationId }: Operation, txHash: string) => {
  const answer = await holder.client.post('/v1/transactions/submit-hash', { operationId, txHash })
  expect(answer.status, answer.text).toBe(202)
}

/** Sends an unrelated transaction with the wallet's next nonce, which the plan uses. */
async function useNonce(system: System, holder: WalletClient): Promise<string> {
  const { writer, included } = await onChain(system, holder)
  const hash = await writer.sendTransaction({ to: holder.account.address, value: 0n })
  await included(hash)
  return hash
}

/** Every failure code of spec 7.4, from a chain where it really happens. */
export const FAILURE_SCENARIOS: Readonly<Record<string, (system: System) => Promise<FailureScenario>>> = {
  /** Between plan and inclusion, someone with an allowance takes the tokens. */
  async REVERTED(system) {
    const taker = await createFundedWalletClient(system.profile, CHAIN, TOKEN)
    const aave = await system.strategy(CHAIN, 'Aave V3 USDC')
    const holder = await createFundedWalletClient(system.profile, CHAIN, 10n * TOKEN)
    await (await onChain(system, holder)).approve(aave.tokenAddress, taker.account.address, 10n * TOKEN)
    const plan = await holder.planSupply(aave, 10n * TOKEN)
    await holder.submit(plan, plan.transactions[0]!)
    await confirmed(holder, plan, 0)
    const { writer, included } = await onChain(system, taker)
    const args = [holder.account.address, taker.account.address, TOKEN] as const
    const address = aave.tokenAddress as `0x${string}`
    await included(await writer.writeContract({ address, abi: TOKENS, functionName: 'transferFrom', args }))
    await holder.submit(plan, plan.transactions[1]!)
    return { read: () => holder.read(plan.operationId), position: 1, explanation: /reverted/, reason: /balance/i }
  },

  /** The signer allows less gas than the call needs. */
  async OUT_OF_GAS(system) {
    const { holder, plan, first } = await planned(system)
    const { reader } = await onChain(system, holder)
    const raw = await holder.sign(first, { gas: 24_000n })
    await reported(holder, plan, await reader.sendRawTransaction({ serializedTransaction: raw }))
    return { read: () => holder.read(plan.operationId), position: 0, explanation: /gas/ }
  },

  /** The first transaction is lost, so the second waits in the pool and no block ever includes it. */
  async TIMEOUT(system) {
    const { holder, plan, first } = await planned(system)
    await fault(system, 'drop_next')
    await holder.submit(plan, first)
    await holder.submit(plan, plan.transactions[1]!)
    return { read: () => holder.read(plan.operationId), position: 1, explanation: /in time/ }
  },

  /** A node accepts the transaction and drops it. */
  async DROPPED(system) {
    const { holder, plan, first } = await planned(system)
    await fault(system, 'drop_next')
    await holder.submit(plan, first)
    return { read: () => holder.read(plan.operationId), position: 0, explanation: /No node has known/ }
  },

  /** The reported hash is unknown to all nodes, and another transaction used its nonce. */
  async NONCE_TOO_LOW(system) {
    const { holder, plan, first } = await planned(system)
    await reported(holder, plan, keccak256(await holder.sign(first)))
    const by = await useNonce(system, holder)
    return { read: () => holder.read(plan.operationId), position: 0, explanation: new RegExp(by) }
  },

  /** A node had the transaction, and another one used its nonce. */
  async REPLACED(system) {
    const { holder, plan, first } = await planned(system)
    await fault(system, 'drop_next')
    await holder.submit(plan, first)
    const by = await useNonce(system, holder)
    return { read: () => holder.read(plan.operationId), position: 0, explanation: new RegExp(`replaced by ${by}`) }
  },

  /** Solana: the wallet spends the lamports that the share account's rent needs. */
  async INSUFFICIENT_FUNDS(system) {
    const strategies = await system.strategies()
    const vault = strategies.find(({ blockchain, token }) => blockchain === 'solana' && token === 'USDC')!
    const holder = await createSolanaWalletClient(system)
    await holder.fund('USDC', 10n * TOKEN)
    const plan = await holder.planSupply(vault, 10n * TOKEN)
    await holder.spend((await holder.lamports()) - BARELY)
    const txHash = await holder.send(await holder.sign(plan.transactions[0]!))
    const { operationId } = plan
    const answer = await system.profile.post('/v1/transactions/submit-hash', { operationId, txHash })
    expect(answer.status, answer.text).toBe(202)
    return {
      read: () => holder.read(operationId),
      position: 0,
      explanation: /too little/,
      reason: /insufficient lamports/,
    }
  },

  /** The reported hash turns out to be an unplanned transaction. */
  async UNKNOWN(system) {
    const { holder, plan } = await planned(system)
    const { reader, included } = await onChain(system, holder)
    const other = await createWalletClient(system.profile, CHAIN)
    const raw = await holder.sign(plan.transactions[0]!, { to: other.account.address, data: '0x' })
    await reported(holder, plan, keccak256(raw))
    await included(await reader.sendRawTransaction({ serializedTransaction: raw }))
    return { read: () => holder.read(plan.operationId), position: 0, explanation: /TRANSACTION_MISMATCH/ }
  },
}
