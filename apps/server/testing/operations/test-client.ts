import {
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseTransaction,
  type TransactionSerializableEIP1559,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { EvmChain } from '../../src/chains/index.ts'
import type { Scope } from '../../src/identity/index.ts'
import {
  getOperation,
  type Operation,
  type OperationTransaction,
  type Parts,
  planSupply,
  planUnwind,
  type SubmissionResult,
  submitSigned,
} from '../../src/operations/index.ts'
import type { Strategy } from '../../src/venues/index.ts'
import type { Wallet } from '../../src/wallets/index.ts'
import { erc20, type TestChain } from '../chains/test-chain.ts'
import { anyState } from './any-state.ts'
import { BY_KEY } from './requesters.ts'

export interface SignOptions {
  /** Percent of the planned fees; at least 110 replaces a pending transaction. */
  readonly feePercent?: bigint
  readonly change?: Partial<TransactionSerializableEIP1559>
}

/** An integrator with one wallet: plans through the service, signs with its own key. */
export interface TestClient {
  readonly account: PrivateKeyAccount
  readonly address: Address
  readonly wallet: Wallet
  readonly scope: Scope
  readonly usdcAddress: string
  supply(amount: bigint, strategyKey?: string): Promise<Operation>
  unwind(amount: bigint | 'full', strategyKey?: string): Promise<Operation>
  sign(transaction: OperationTransaction, options?: SignOptions): Promise<Hex>
  submit(operation: { operationId: number }, signedTransaction: string): Promise<SubmissionResult>
  /** Signs and submits every waiting transaction in order. Returns the hash of the last. */
  submitAll(operation: Operation): Promise<string>
  /** Plans, submits and settles; returns the updated operation. */
  complete(operation: Operation): Promise<Operation>
  operation(named: { operationId: number }): Promise<Operation>
  /** Signs and sends without telling the service. */
  send(transaction: OperationTransaction, options?: SignOptions): Promise<string>
  /** Receives or spends USDC without the service. */
  receive(amount: bigint): Promise<string>
  spend(amount: bigint, to?: string): Promise<string>
  /** Uses the next nonce for an unplanned transaction. */
  useNonce(): Promise<string>
  usdc(): Promise<bigint>
}

const DEFAULT_STRATEGY = 'aave-v3:polygon:USDC'

/** The parts of an engine that a client uses. */
export interface ClientEnvironment {
  readonly parts: Parts
  readonly dev: TestChain
  readonly chain: EvmChain
  strategy(key: string): Strategy
  settle(): Promise<void>
}

export function createTestClient(
  engine: ClientEnvironment,
  account: PrivateKeyAccount,
  scope: Scope,
  wallet: Wallet,
): TestClient {
  const { dev, parts } = engine
  const usdcAddress = engine.strategy(DEFAULT_STRATEGY).tokenAddress
  const named = (strategyKey: string) => ({
    scope,
    walletId: wallet.walletId,
    strategyId: engine.strategy(strategyKey).id,
    requestedBy: BY_KEY,
  })
  const client: TestClient = {
    account,
    address: account.address,
    wallet,
    scope,
    usdcAddress,
    supply(amount, strategyKey = DEFAULT_STRATEGY) {
      const tokenAddress = engine.strategy(strategyKey).tokenAddress
      return planSupply(parts, { ...named(strategyKey), amount, tokenAddress })
    },
    unwind(amount, strategyKey = DEFAULT_STRATEGY) {
      return planUnwind(parts, { ...named(strategyKey), amount })
    },
    sign(transaction, { feePercent = 100n, change = {} } = {}) {
      const planned = parseTransaction(anyState(transaction).unsignedBytes as Hex) as TransactionSerializableEIP1559
      return account.signTransaction({
        ...planned,
        maxFeePerGas: ((planned.maxFeePerGas ?? 0n) * feePercent + 99n) / 100n,
        maxPriorityFeePerGas: ((planned.maxPriorityFeePerGas ?? 0n) * feePercent + 99n) / 100n,
        ...change,
      })
    },
    submit: ({ operationId }, signedTransaction) => submitSigned(parts, { scope, operationId, signedTransaction }),
    async submitAll(operation) {
      let last = ''
      for (const transaction of operation.transactions) {
        if (anyState(transaction).submittedAt !== null) continue
        last = (await client.submit(operation, await client.sign(transaction))).txHash
      }
      return last
    },
    async complete(operation) {
      await dev.included(await client.submitAll(operation))
      await engine.settle()
      return client.operation(operation)
    },
    operation: ({ operationId }) => getOperation(parts, scope, operationId),
    async send(transaction, options) {
      const raw = await client.sign(transaction, options)
      await dev.sendRaw(raw)
      return keccak256(raw)
    },
    receive: (amount) => dev.fund(account.address, usdcAddress, amount),
    spend: (amount, to = dev.deployment.lender) =>
      dev.call(
        account,
        usdcAddress,
        encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to as Address, amount] }),
      ),
    useNonce: () => dev.call(account, account.address, '0x'),
    async usdc() {
      const [balance] = await engine.chain.balances([{ owner: account.address, token: usdcAddress }])
      return balance!
    },
  }
  return client
}
