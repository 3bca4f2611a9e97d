import { type Hex, parseTransaction, type TransactionSerializableEIP1559 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { until } from '../../testing/until.ts'
import type {
  AllocationList,
  Balance,
  Operation,
  Strategy,
  Submitted,
  Transaction,
  Wallet,
  WalletDetail,
} from './api-types.ts'
import type { HttpClient } from './client.ts'

/** The holder of a private key and a registered wallet: plans, signs with viem, submits. */
export interface WalletClient {
  readonly client: HttpClient
  readonly account: ReturnType<typeof privateKeyToAccount>
  readonly walletId: number
  readonly walletAddress: string
  readonly blockchain: string
  fund(token: string, amount: bigint, withGas?: boolean): Promise<void>
  /** The body of a valid supply. */
  supplyOf(strategy: Strategy, amount: bigint): Record<string, unknown>
  planSupply(strategy: Strategy, amount: bigint): Promise<Operation>
  planUnwind(strategy: Strategy, amount: bigint | 'full'): Promise<Operation>
  /** The planned bytes, decoded. */
  planned(transaction: Transaction): TransactionSerializableEIP1559
  /** Signs the planned bytes; `changes` alters them first. */
  sign(transaction: Transaction, changes?: Partial<TransactionSerializableEIP1559>): Promise<Hex>
  submit(operation: Operation, transaction: Transaction): Promise<Submitted>
  /** Signs and submits all transactions in order, and waits for CONFIRMED. */
  carryOut(operation: Operation): Promise<Operation>
  supply(strategy: Strategy, amount: bigint): Promise<Operation>
  read(operationId: number): Promise<Operation>
  waitForStatus(operationId: number, status: string): Promise<Operation>
  balance(token: string): Promise<Balance>
  allocations(): Promise<AllocationList>
}

export async function createWalletClient(
  client: HttpClient,
  blockchain: string,
  options: { key?: Hex; register?: Record<string, unknown> } = {},
): Promise<WalletClient> {
  const account = privateKeyToAccount(options.key ?? generatePrivateKey())
  const walletAddress = account.address
  const registration = { walletAddress, blockchain, ...options.register }
  const { walletId } = (await client.post<Wallet>('/v1/wallets/register', registration)).body

  const planned = (transaction: Transaction) =>
    parseTransaction(transaction.unsignedTransaction as Hex) as TransactionSerializableEIP1559

  async function plan(kind: string, body: Record<string, unknown>): Promise<Operation> {
    const answer = await client.post<Operation>(`/v1/operations/${kind}`, body)
    expect(answer.status, answer.text).toBe(201)
    return answer.body
  }
  const holder: WalletClient = {
    client,
    account,
    walletId,
    walletAddress,
    blockchain,
    async fund(token, amount, withGas) {
      const gift = { walletAddress, blockchain, token, amount: amount.toString() }
      const answer = await client.post('/v1/sandbox/faucet', withGas === undefined ? gift : { ...gift, withGas })
      expect(answer.status, answer.text).toBe(200)
    },
    supplyOf: ({ strategyId, tokenAddress }, amount) => ({
      walletAddress,
      strategyId,
      tokenAddress,
      amount: amount.toString(),
    }),
    planSupply: (strategy, amount) => plan('supply', holder.supplyOf(strategy, amount)),
    planUnwind: ({ strategyId }, amount) =>
      plan('unwind', {
        walletAddress,
        strategyId,
        ...(amount === 'full' ? { fullWithdrawal: true } : { amount: amount.toString() }),
      }),
    planned,
    sign: (transaction, changes = {}) =>
      account.signTransaction({ ...planned(transaction), ...changes } as TransactionSerializableEIP1559),
    async submit({ operationId }, transaction) {
      const signedTransaction = await holder.sign(transaction)
      const answer = await client.post<Submitted>('/v1/transactions/submit-signed', { operationId, signedTransaction })
      expect(answer.status, answer.text).toBe(202)
      return answer.body
    },
    async carryOut(operation) {
      for (const transaction of operation.transactions) await holder.submit(operation, transaction)
      return holder.waitForStatus(operation.operationId, 'CONFIRMED')
    },
    supply: async (strategy, amount) => holder.carryOut(await holder.planSupply(strategy, amount)),
    read: async (operationId) => (await client.get<Operation>(`/v1/operations/${operationId}`)).body,
    waitForStatus: (operationId, status) =>
      until(async () => {
        const operation = await holder.read(operationId)
        if (operation.status === status) return operation
        throw new Error(`operation ${operationId} is ${operation.status}: ${JSON.stringify(operation)}`)
      }, 30_000),
    async balance(token) {
      const { balances } = (await client.get<WalletDetail>(`/v1/wallets/${walletId}`)).body
      return balances.find((balance) => balance.token === token)!
    },
    allocations: async () => (await client.post<AllocationList>('/v1/allocations', { walletId })).body,
  }
  return holder
}

/** A wallet with tokens and gas. */
export async function createFundedWalletClient(
  client: HttpClient,
  blockchain: string,
  amount: bigint,
  token = 'USDC',
): Promise<WalletClient> {
  const holder = await createWalletClient(client, blockchain)
  await holder.fund(token, amount)
  return holder
}
