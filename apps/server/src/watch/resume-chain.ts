import { asSvmChain, type BlockRef, type Chain } from '../chains/index.ts'
import { Failure } from '../kernel/index.ts'
import { openMissingAccounts } from '../ledger/index.ts'
import { type Parts, resetChain, rollbackLostBlocks } from '../operations/index.ts'
import { confirmTokens } from '../venues/index.ts'
import { type Cursor, deleteCursor, placeCursor, readCursor } from './cursor.ts'

/**
 * Before a chain is followed: is it the one that the cursor speaks of?
 *
 * - Never seen: following begins at its final head.
 * - A development chain with another genesis: it lost its history, so the books of its wallets start clean with it.
 * - The cursor's block is another now, or gone from a development chain: a final block vanished, as when a development chain was killed before
 *   it saved. Following goes on from the present head, and every wallet is compared with it.
 */
export async function resumeChain(
  parts: Parts,
  chain: Chain,
  options: {
    isDevelopment: boolean
    print: (line: string) => void
    onReset?: (blockchain: string) => Promise<void>
  },
): Promise<Cursor> {
  const { blockchain } = chain.network
  await openMissingAccounts(parts.db, chain.network)
  if (!options.isDevelopment) await confirmTokens(parts, chain)
  const [genesisHash, heads, cursor] = await Promise.all([
    chain.genesisHash(),
    chain.heads(),
    readCursor(parts.db, blockchain),
  ])
  const isSame = cursor?.genesisHash === genesisHash
  if (cursor && isSame) {
    const there = await readBlockRef(chain, cursor.final.number)
    if (there?.hash === cursor.final.hash) return cursor
    // Only a development chain can end before a block that was final; any other node that lacks it is behind, and what
    // landed since then would be passed over.
    const isGone = options.isDevelopment && heads.latest.number < cursor.final.number
    if (!there && !isGone) throw new Failure('CHAIN_UNAVAILABLE', { cause: `no block ${cursor.final.number}` })
  }

  if (cursor && !isSame) {
    if (!options.isDevelopment) {
      throw new Error(`${blockchain}: the RPC endpoint serves another chain than before (genesis ${genesisHash})`)
    }
    const wallets = await resetChain(parts, blockchain, genesisHash)
    await options.onReset?.(blockchain)
    await deleteCursor(parts.db, blockchain)
    options.print(`${blockchain}: the embedded chain is new; the books of its ${wallets} wallets start clean with it`)
  } else if (cursor) {
    options.print(`${blockchain}: block ${cursor.final.number} is not there any more; comparing every wallet anew`)
    await rollbackLostBlocks(parts, chain)
  }
  // The final block as it is now: where it was replaced, the heads still tell the one that was final first.
  const final = (await readBlockRef(chain, heads.final.number)) ?? heads.final
  await placeCursor(parts.db, blockchain, genesisHash, final, parts.clock.now())
  return (await readCursor(parts.db, blockchain))!
}

/** Where blocks are too large to be read, without what is in it. */
async function readBlockRef(chain: Chain, number: number): Promise<BlockRef | undefined> {
  const svm = asSvmChain(chain)
  return svm?.walletActivity ? svm.header(number) : chain.block(number)
}
