import { SOLANA_EXPLAINED_MENTIONS_MAX } from '../../../kernel/index.ts'
import type { UnexplainedQuery } from '../../port/wallet-activity.ts'
import { associatedTokenAddress } from '../addresses/associated-token-address.ts'
import type { TokenReading } from '../caches/balance-history.ts'
import { FINALIZED, type SolanaContext } from '../context.ts'
import { followAmounts } from './explain-balances.ts'
import { fetchBalanceAfter, findTransaction } from './fetch-transactions.ts'
import { inBatches } from './in-batches.ts'
import { type SignatureInfo, signaturesFor } from './signatures.ts'
import { readTokenAmounts } from './token-amounts.ts'

/**
 * The token accounts of a wallet whose amounts show that their lists lack a transaction which may have landed in the time
 * of the query. Read at each call: nothing that a follower remembers, or forgets, decides it. Of an account that is
 * mentioned often, the newest transactions are compared.
 */
export async function findUnexplained(
  parts: Pick<SolanaContext, 'rpc' | 'blocks'>,
  query: UnexplainedQuery,
): Promise<string[]> {
  const { wallet, tokens, slot } = query
  const accounts = await Promise.all(tokens.map((token) => associatedTokenAddress(wallet, token)))
  const readings = await readTokenAmounts(parts, accounts, slot)
  const atLeast = readings.reduce((highest, reading) => Math.max(highest, reading.slot), slot)
  const lacking = await Promise.all(readings.map((reading) => lacksTransaction(parts, query, { reading, atLeast })))
  return accounts.filter((_, index) => lacking[index])
}

async function lacksTransaction(
  parts: Pick<SolanaContext, 'rpc' | 'blocks'>,
  { slot, since, lastHeight }: UnexplainedQuery,
  { reading: { account, amount }, atLeast }: { readonly reading: TokenReading; readonly atLeast: number },
): Promise<boolean> {
  const page = await signaturesFor(parts, account, {
    commitment: FINALIZED,
    minContextSlot: atLeast,
    isBefore: ({ blockTime }) => blockTime !== null && blockTime * 1_000 < since.getTime(),
    firstPageSize: SOLANA_EXPLAINED_MENTIONS_MAX,
    pages: 1,
  })
  const mentions = page.signatures.toReversed()
  const listed = mentions.filter((mention) => mention.slot <= slot)
  const later = mentions.find((mention) => mention.slot > slot)
  const read = await inBatches(later ? [...listed, later] : listed, (mention) => findTransaction(parts, mention))
  const { gaps } = followAmounts({
    account,
    amount,
    before: page.older && (await fetchBalanceAfter(parts, page.older, account)),
    transactions: read.slice(0, listed.length),
    goesOn: later !== undefined,
    next: read[listed.length],
  })
  const beforeGaps = gaps.map((position) => listed[position - 1] ?? page.older)
  const areLate = await Promise.all(beforeGaps.map((mention) => isAfter(parts, mention, lastHeight)))
  return areLate.includes(false)
}

/** Whether a transaction is in a block after that height, so that what is missing after it is too. */
async function isAfter(
  { blocks }: Pick<SolanaContext, 'blocks'>,
  mention: SignatureInfo | undefined,
  height: number,
): Promise<boolean> {
  const block = mention && (await blocks.header(mention.slot))
  return block !== undefined && block.height > height
}
