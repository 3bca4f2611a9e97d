import type { SvmInstruction } from '../../../src/chains/index.ts'
import { withoutBudget } from '../../../src/chains/solana/budget.ts'
import { budget } from '../../../src/chains/solana/instructions.ts'
import type { OperationTransaction } from '../../../src/operations/index.ts'
import { registerWallet } from '../../../src/wallets/index.ts'
import type { Account } from '../../clients/holder.ts'
import type { SolanaPlay } from '../play.ts'
import type { Key } from '../world/keys.ts'
import { sentFrom, sign, write } from '../world/transaction.ts'

/** Bytes that the service handed out: their holder can sign them for as long as their blockhash lives. */
export interface HandedOut {
  readonly account: Account
  readonly transaction: OperationTransaction
  /** Whether its holder promised that they go nowhere, and keeps the promise. */
  discarded: boolean
}

/** Whoever has the key of one address: it may be known to several organizations, and does what it wants. */
export class Holder {
  readonly play: SolanaPlay
  readonly key: Key
  readonly accounts: Account[] = []
  /** Everything that was ever handed out for this address, in that order. */
  readonly handedOut: HandedOut[] = []
  /** What it sent past the service, to report it one day. */
  readonly sent: { readonly bytes: HandedOut; readonly hash: string }[] = []

  constructor(play: SolanaPlay, key: Key) {
    this.play = play
    this.key = key
  }

  get address(): string {
    return this.key.address
  }

  async register(organizationId: number): Promise<void> {
    if (this.accounts.some((account) => account.organizationId === organizationId)) return
    const sight = { organizationId, walletProfileId: null }
    const input = { sight, walletAddress: this.address, blockchain: 'solana' as const }
    const registered = await this.play.request('register', () => registerWallet(this.play.service.parts, input))
    if (registered) this.accounts.push({ organizationId, sight, walletId: registered.wallet.walletId })
  }

  receive(account: Account, transactions: readonly OperationTransaction[]): void {
    for (const transaction of transactions) {
      const isKnown = this.handedOut.some((other) => other.transaction.unsignedBytes === transaction.unsignedBytes)
      if (!isKnown) this.handedOut.push({ account, transaction, discarded: false })
    }
  }

  sign({ transaction }: HandedOut): string {
    return sign(this.key, transaction.unsignedBytes)
  }

  /** The same plan and blockhash for another fee: another transaction, which may land beside the first. */
  signFor({ transaction }: HandedOut, price: bigint): string {
    this.play.doubled.add(transaction.transactionId)
    const { instructions, blockhash, units } = sentFrom(transaction.unsignedBytes)
    return write(this.key, [...budget(units, price), ...withoutBudget(instructions)], blockhash)
  }

  /** What its account of a token or of shares holds, in the newest block. */
  balance(mint: string): bigint {
    return this.play.cluster.latest.state.amount(this.play.accounts.of(this.address, mint))
  }

  /** Signs and sends something of its own, past the service. Its signature, cut short. */
  send(instructions: readonly SvmInstruction[]): string {
    const { cluster } = this.play
    const raw = write(this.key, instructions, cluster.latest.hash)
    cluster.enqueue(raw)
    return sentFrom(raw).signature.slice(0, 10)
  }
}
