import { sameInstructions } from '../../../src/chains/index.ts'
import { ASSOCIATED_TOKEN_PROGRAM, MEMO_PROGRAM } from '../../../src/chains/solana/addresses/programs.ts'
import { withoutComputeBudget } from '../../../src/chains/solana/transactions/compute-budget.ts'
import type { IssuedBytes, IssuedTransaction } from '../../../src/operations/index.ts'
import { Violation } from '../../violation.ts'
import type { SolanaWalletClient } from '../clients/wallet-client.ts'
import type { SolanaRunState } from '../solana-run-state.ts'
import { VAULT_PROGRAM, type VaultMarket } from '../world/market.ts'
import { bytesOf, decodeTransaction } from '../world/transaction.ts'

export interface RequestedMove {
  readonly market: VaultMarket
  readonly kind: 'supply' | 'unwind'
  /** Base units; `undefined`: everything. */
  readonly amount: bigint | undefined
}

const ALL_SHARES = 0xffff_ffff_ffff_ffffn

/**
 * Issued bytes do what was requested for this wallet and nothing else, carry their transaction's memo, and expire at
 * the stated height (rule 10 and 11).
 */
export function expectHonestPlan(
  run: SolanaRunState,
  holder: SolanaWalletClient,
  transactions: readonly IssuedTransaction[],
  asked: RequestedMove,
): void {
  const [transaction, ...others] = transactions
  if (!transaction || others.length > 0) throw new Violation(`a plan on Solana is ${transactions.length} transactions`)
  expectBytes(run, holder.address, transaction, asked)
}

export function expectBytes(
  run: SolanaRunState,
  owner: string,
  { transactionId, unsignedBytes, lastValidBlockHeight }: IssuedBytes['transaction'],
  { market, kind, amount }: RequestedMove,
): void {
  const wrong = (what: string) => {
    throw new Violation(`transaction ${transactionId} was to ${kind} ${amount ?? 'everything'}, and ${what}`)
  }
  const { sender, memos, instructions, blockhash } = decodeTransaction(unsignedBytes)
  if (sender !== owner) wrong(`is ${sender}’s to sign`)
  if (memos.length !== 1 || memos[0] !== `weir:${transactionId}`)
    wrong(`carries the memo ${memos.join(', ') || 'of nobody'}`)
  const [opens, moves, says, ...more] = withoutComputeBudget(instructions)
  if (opens?.program !== ASSOCIATED_TOKEN_PROGRAM || says?.program !== MEMO_PROGRAM || more.length > 0)
    wrong('does something else as well')
  const [token, shares] = [run.accounts.of(owner, market.token), run.accounts.of(owner, market.shareMint)]
  if (opens!.accounts[1]!.address !== (kind === 'supply' ? shares : token)) wrong('opens another account')
  const at = moves!.accounts.map(({ address }) => address)
  const isThere = moves!.program === VAULT_PROGRAM && at[0] === owner && at[1] === market.vault
  if (!isThere || at[5] !== token || at[6] !== shares) wrong('goes elsewhere')
  const data = bytesOf(moves!.data)
  const [first, least] = [data.readBigUInt64LE(1), data.readBigUInt64LE(9)]
  if (data[0] !== (kind === 'supply' ? 1 : 2)) wrong('goes the other way')
  if (kind === 'supply' && (first !== amount || least === 0n)) wrong(`supplies ${first} for at least ${least} shares`)
  if (kind === 'unwind' && (amount === undefined ? first !== ALL_SHARES : least !== amount))
    wrong(`redeems ${first} shares for at least ${least}`)
  const height = run.cluster.heightOf(blockhash)
  if (height !== undefined && lastValidBlockHeight !== height + run.cluster.lifetime)
    wrong(`dies at height ${height + run.cluster.lifetime}, not ${lastValidBlockHeight}`)
}

/** New bytes never have another effect than those issued before (contract 6). */
export function expectSameEffect({ issued }: SolanaWalletClient, waiting: readonly IssuedTransaction[]): void {
  for (const { transactionId, unsignedBytes } of waiting) {
    const before = issued.find(({ transaction }) => transaction.transactionId === transactionId)
    if (!before) continue
    const effects = [before.transaction.unsignedBytes, unsignedBytes].map((raw) =>
      withoutComputeBudget(decodeTransaction(raw).instructions),
    )
    if (!sameInstructions(effects[0]!, effects[1]!))
      throw new Violation(`the new bytes of transaction ${transactionId} do something else`)
  }
}

/** Nothing is rebuilt while issued bytes can still land, or after they have (rule 1). */
export function expectDead(
  run: SolanaRunState,
  { issued }: SolanaWalletClient,
  waiting: readonly IssuedTransaction[],
): void {
  for (const { transactionId, unsignedBytes } of waiting) {
    const others = issued.filter(
      ({ transaction, discarded }) =>
        !discarded && transaction.transactionId === transactionId && transaction.unsignedBytes !== unsignedBytes,
    )
    if (run.doubled.has(transactionId)) continue
    for (const { transaction } of others) {
      const why = lifeOf(run, transaction)
      if (why) throw new Violation(`transaction ${transactionId} has new bytes, and its earlier ones ${why}`)
    }
  }
}

/** Why issued bytes are not dead; `undefined` when they are. */
export function lifeOf(
  { cluster }: SolanaRunState,
  { unsignedBytes, ...bytes }: IssuedBytes['transaction'],
): string | undefined {
  const { memos, sender } = decodeTransaction(unsignedBytes)
  const last = bytes.lastValidBlockHeight ?? 0
  const landed = cluster.blocks
    .slice(0, cluster.final.height + 1)
    .find((block) =>
      block.landed.some(
        ({ sent }) => sent.sender === sender && isSame(sent.memos, memos) && isOurs(sent, unsignedBytes),
      ),
    )
  // Landed bytes cannot land again, however long their blockhash lives.
  if (landed) return `landed in slot ${landed.slot}`
  return cluster.final.height > last
    ? undefined
    : `can land up to height ${last}, while ${cluster.final.height} is final`
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a[0] === b[0]

function isOurs(sent: ReturnType<typeof decodeTransaction>, unsignedBytes: string): boolean {
  return sameInstructions(
    withoutComputeBudget(sent.instructions),
    withoutComputeBudget(decodeTransaction(unsignedBytes).instructions),
  )
}
