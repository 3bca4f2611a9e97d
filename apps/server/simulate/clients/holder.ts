import { encodeFunctionData } from 'viem'
import type { Sight } from '../../src/identity/index.ts'
import type { OperationTransaction } from '../../src/operations/index.ts'
import { registerWallet } from '../../src/wallets/index.ts'
import type { Play } from '../play.ts'
import { abi } from '../world/contracts.ts'
import type { Market } from '../world/market.ts'
import { hashOf, sign, toBytes } from '../world/raw.ts'

/** One wallet of an organization, under this holder's address. */
export interface Account {
  readonly organizationId: number
  readonly sight: Sight
  readonly walletId: number
}

/** Bytes that the service handed out: their holder can sign them whenever it likes, whatever became of the plan. */
export interface HandedOut {
  readonly account: Account
  readonly transaction: OperationTransaction
}

/** Whoever has the key of one address: it may be known to several organizations, and does what it wants. */
export class Holder {
  readonly play: Play
  readonly address: string
  readonly accounts: Account[] = []
  /** Everything that was ever handed out for this address, in that order. */
  readonly handedOut: HandedOut[] = []
  /** What it sent past the service, to report it one day. */
  readonly sent: { readonly bytes: HandedOut; readonly hash: string }[] = []

  constructor(play: Play, address: string) {
    this.play = play
    this.address = address
  }

  async register(organizationId: number): Promise<void> {
    if (this.accounts.some((account) => account.organizationId === organizationId)) return
    const sight: Sight = { organizationId, walletProfileId: null }
    const input = { sight, walletAddress: this.address, blockchain: 'polygon' as const }
    const registered = await this.play.request('register', () => registerWallet(this.play.service.parts, input))
    if (registered) this.accounts.push({ organizationId, sight, walletId: registered.wallet.walletId })
  }

  receive(account: Account, transactions: readonly OperationTransaction[]): void {
    for (const transaction of transactions) {
      if (
        this.handedOut.some(
          (other) =>
            other.transaction.unsignedBytes === transaction.unsignedBytes &&
            other.transaction.transactionId === transaction.transactionId,
        )
      )
        continue
      this.handedOut.push({ account, transaction })
      if (!this.play.handedOutAt.has(transaction.transactionId)) {
        this.play.handedOutAt.set(transaction.transactionId, this.play.world.latest.number)
      }
    }
  }

  sign({ transaction }: HandedOut, feePercent = 100n): string {
    return sign(transaction.unsignedBytes, this.address, feePercent)
  }

  balance(token: string): bigint {
    return this.play.world.latest.state.balance(token, this.address)
  }

  /** Signs and sends something of its own, past the service. The hash, or why no node took it. */
  send(to: string, data: string, nonce = this.play.world.pendingNonce(this.address)): string {
    const { world } = this.play
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

  /** A deposit that nobody planned, for this wallet or as a gift to another; the approval must stand. */
  deposit(market: Market, amount: bigint, owner = this.address): string {
    const to = owner as `0x${string}`
    const data =
      market.protocol === 'erc4626'
        ? encodeFunctionData({ abi, functionName: 'deposit', args: [amount, to] })
        : encodeFunctionData({ abi, functionName: 'supply', args: [market.token as `0x${string}`, amount, to, 0] })
    return this.send(market.contract, data)
  }
}
