import { encodeFunctionData } from 'viem'
import type { Scope } from '../../src/identity/index.ts'
import type { IssuedTransaction } from '../../src/operations/index.ts'
import { registerWallet } from '../../src/wallets/index.ts'
import type { EvmRunState } from '../evm-run-state.ts'
import { abi } from '../world/contracts.ts'
import type { Market } from '../world/market.ts'
import { hashOf, sign, toBytes } from '../world/raw.ts'
import type { WalletAccount } from './wallet-account.ts'

/** Issued bytes: their holder can sign them at any time, whatever became of the plan. */
export interface ClientBytes {
  readonly account: WalletAccount
  readonly transaction: IssuedTransaction
}

/** The holder of one address's key. Several organizations may know the address; the holder does what it wants. */
export class WalletClient {
  readonly run: EvmRunState
  readonly address: string
  readonly accounts: WalletAccount[] = []
  /** All bytes ever issued for this address, in order. */
  readonly issued: ClientBytes[] = []
  /** What it sent without the service, to report later. */
  readonly sent: { readonly bytes: ClientBytes; readonly hash: string }[] = []

  constructor(run: EvmRunState, address: string) {
    this.run = run
    this.address = address
  }

  async register(organizationId: number): Promise<void> {
    if (this.accounts.some((account) => account.organizationId === organizationId)) return
    const scope: Scope = { organizationId, walletProfileId: null }
    const input = { scope: scope, walletAddress: this.address, blockchain: 'polygon' as const }
    const registered = await this.run.request('register', () => registerWallet(this.run.service.parts, input))
    if (registered) this.accounts.push({ organizationId, scope, walletId: registered.wallet.walletId })
  }

  receive(account: WalletAccount, transactions: readonly IssuedTransaction[]): void {
    for (const transaction of transactions) {
      this.run.promised.add(transaction.operationId)
      if (
        this.issued.some(
          (other) =>
            other.transaction.unsignedBytes === transaction.unsignedBytes &&
            other.transaction.transactionId === transaction.transactionId,
        )
      )
        continue
      this.issued.push({ account, transaction })
      if (!this.run.issuedAt.has(transaction.transactionId)) {
        this.run.issuedAt.set(transaction.transactionId, this.run.world.latest.number)
      }
    }
  }

  sign({ transaction }: ClientBytes, feePercent = 100n): string {
    return sign(transaction.unsignedBytes, this.address, feePercent)
  }

  balance(token: string): bigint {
    return this.run.world.latest.state.balance(token, this.address)
  }

  /** Signs and sends a transaction without the service. Returns the hash, or why no node accepted it. */
  send(to: string, data: string, nonce = this.run.world.pendingNonce(this.address)): string {
    const { world } = this.run
    const tip = 30_000_000_000n + BigInt(nonce)
    const raw = toBytes({
      chainId: world.chainId,
      sender: this.address,
      nonce,
      to,
      data,
      value: 0n,
      gas: 400_000n,
      maxFeePerGas: world.baseFee * 4n + tip,
      maxPriorityFeePerGas: tip * 2n,
    })
    const { outcome } = world.send(raw)
    return outcome === 'accepted' ? hashOf(raw).slice(0, 10) : outcome
  }

  transfer(token: string, to: string, amount: bigint, nonce?: number): string {
    return this.send(
      token,
      encodeFunctionData({ abi, functionName: 'transfer', args: [to as `0x${string}`, amount] }),
      nonce,
    )
  }

  approve(market: Market, amount: bigint): string {
    const args = [market.contract as `0x${string}`, amount] as const
    return this.send(market.token, encodeFunctionData({ abi, functionName: 'approve', args }))
  }

  /** An unplanned deposit, for this wallet or as a gift to another. The allowance must already exist. */
  deposit(market: Market, amount: bigint, owner = this.address): string {
    const to = owner as `0x${string}`
    const data =
      market.protocol === 'aave-v3'
        ? encodeFunctionData({ abi, functionName: 'supply', args: [market.token as `0x${string}`, amount, to, 0] })
        : encodeFunctionData({ abi, functionName: 'deposit', args: [amount, to] })
    return this.send(market.contract, data)
  }
}
