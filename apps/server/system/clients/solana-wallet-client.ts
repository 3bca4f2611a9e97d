import { getBase64EncodedWireTransaction } from '@solana/transactions'
import { expect } from 'vitest'
import { associatedTokenAddress } from '../../src/chains/solana/addresses/associated-token-address.ts'
import { transferNative } from '../../src/chains/solana/transactions/instructions.ts'
import { compile } from '../../src/chains/solana/transactions/message.ts'
import { newKey, sign, signatureOf } from '../../testing/chains/test-solana.ts'
import { until } from '../../testing/until.ts'
import type { System } from '../service/start-system.ts'
import type { Operation, Strategy, Transaction, Wallet } from './api-types.ts'

/** The holder of a registered wallet on Solana and the only holder of its key. */
export interface SolanaWalletClient {
  readonly walletId: number
  readonly address: string
  fund(token: string, amount: bigint, withGas?: boolean): Promise<void>
  planSupply(strategy: Strategy, amount: bigint): Promise<Operation>
  sign(transaction: Transaction): Promise<string>
  /** Sends without the service and without preflight; returns the signature. */
  send(signed: string): Promise<string>
  /** Sends lamports to an unused address and waits until they are gone. */
  spend(lamports: bigint): Promise<void>
  lamports(): Promise<bigint>
  /** In base units, in the wallet’s own account of the token. */
  tokens(symbol: string): Promise<bigint>
  read(operationId: number): Promise<Operation>
}

export async function createSolanaWalletClient(system: System): Promise<SolanaWalletClient> {
  const client = system.profile
  const key = await newKey()
  const registration = { walletAddress: key.address, blockchain: 'solana' }
  const { walletId } = (await client.post<Wallet>('/v1/wallets/register', registration)).body
  const network = (await system.networks()).find(({ blockchain }) => blockchain === 'solana')!

  async function rpc<T>(method: string, ...params: unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = (await (await fetch(network.rpcUrl, { method: 'POST', headers, body })).json()) as {
      result: T
      error?: { message: string }
    }
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }

  const holder: SolanaWalletClient = {
    walletId,
    address: key.address,
    async fund(token, amount, withGas = true) {
      const gift = { walletAddress: key.address, blockchain: 'solana', token, amount: amount.toString(), withGas }
      const answer = await client.post('/v1/sandbox/faucet', gift)
      expect(answer.status, answer.text).toBe(200)
    },
    async planSupply({ strategyId, tokenAddress }, amount) {
      const plan = { walletId, strategyId, tokenAddress, amount: amount.toString() }
      const answer = await client.post<Operation>('/v1/operations/supply', plan)
      expect(answer.status, answer.text).toBe(201)
      return answer.body
    },
    sign: ({ unsignedTransaction }) => sign(key, unsignedTransaction!),
    async send(signed) {
      await rpc('sendTransaction', signed, { encoding: 'base64', skipPreflight: true })
      return signatureOf(signed)
    },
    async spend(lamports) {
      const before = await holder.lamports()
      const { value } = await rpc<{ value: { blockhash: string } }>('getLatestBlockhash')
      const transfer = transferNative(key.address, UNKNOWN_ADDRESS, lamports)
      const bytes = getBase64EncodedWireTransaction(compile(key.address, [transfer], value.blockhash))
      await holder.send(await sign(key, bytes))
      await until(async () => (await holder.lamports()) < before)
    },
    async lamports() {
      return BigInt((await rpc<{ value: number }>('getBalance', key.address)).value)
    },
    async tokens(symbol) {
      const { tokenAddress } = await system.strategy('solana', `Share Vault ${symbol}`)
      const account = await associatedTokenAddress(key.address, tokenAddress)
      return BigInt((await rpc<{ value: { amount: string } }>('getTokenAccountBalance', account)).value.amount)
    },
    read: async (operationId) => (await client.get<Operation>(`/v1/operations/${operationId}`)).body,
  }
  return holder
}

/** An address whose key nobody has. */
const UNKNOWN_ADDRESS = '1nc1nerator11111111111111111111111111111111'
