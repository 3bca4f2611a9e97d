import type { Chain } from '../chains/index.ts'
import { Failure } from '../kernel/index.ts'
import { openMissingAccounts } from '../ledger/index.ts'
import { type Parts, resetChain, rollbackLostFinalBlocks, rollbackPassedInclusions } from '../operations/index.ts'
import { confirmTokens } from '../venues/index.ts'
import { type Cursor, deleteCursor, moveHead, placeCursor, readCursor } from './cursor.ts'
import { requirePlausibleHead } from './require-plausible-head.ts'

/**
 * Checks, before a chain is followed, whether it is the one that the cursor describes.
 *
 * - Never seen: following starts at its final head.
 * - A development chain with another genesis: it lost its history, so the ledger of its wallets starts clean with it.
 * - The cursor's block changed, final blocks after it prove that there is none, or it is gone from a development chain: a
 *   final block was lost, for example because a development chain was killed before it saved, or one endpoint invented
 *   it. Following resumes at the current head, and every wallet is reconciled
 *   with it.
 *
 * Error: CHAIN_UNAVAILABLE, even while a node lags behind the cursor or reports a head that no chain has reached.
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
    const current = await chain.header(cursor.final.number)
    if (current?.hash === cursor.final.hash) return rollbackPassed(parts, blockchain, cursor)
    // Only a development chain can end before a block that was final; any other node without it lags behind, and
    // transactions that landed since then would be missed.
    const isGone = options.isDevelopment && heads.latest.number < cursor.final.number
    const isSkipped = !current && !isGone && (await chain.isSkipped(cursor.final.number))
    if (!current && !isGone && !isSkipped)
      throw new Failure('CHAIN_UNAVAILABLE', { cause: `no block ${cursor.final.number}` })
    // The endpoint that has another block may also report a head that no chain has reached.
    if (!options.isDevelopment) requirePlausibleHead(cursor, heads, parts.clock.now())
  }

  if (cursor && !isSame) {
    if (!options.isDevelopment) {
      throw new Error(`${blockchain}: the RPC endpoint serves a different chain than before (genesis ${genesisHash})`)
    }
    const wallets = await resetChain(parts, blockchain, genesisHash)
    await options.onReset?.(blockchain)
    await deleteCursor(parts.db, blockchain)
    options.print(`${blockchain}: the embedded chain is new; the ledger of its ${wallets} wallets starts clean`)
  } else if (cursor) {
    options.print(`${blockchain}: block ${cursor.final.number} no longer exists; reconciling every wallet again`)
    await rollbackLostFinalBlocks(parts, chain)
  }
  // The current final block: if it was replaced, the heads still contain the block that was final first.
  const final = (await chain.header(heads.final.number)) ?? heads.final
  await placeCursor(parts.db, { blockchain, genesisHash, at: final, now: parts.clock.now() })
  return (await readCursor(parts.db, blockchain))!
}

/**
 * A process that died after it moved the cursor may not have undone the inclusions that the final block replaced. Blocks
 * after it are recorded again then.
 */
async function rollbackPassed(parts: Parts, blockchain: string, cursor: Cursor): Promise<Cursor> {
  const { final } = cursor
  if (!(await rollbackPassedInclusions(parts, blockchain, final.number))) return cursor
  await moveHead(parts.db, blockchain, final)
  return { ...cursor, head: { number: final.number, hash: final.hash } }
}
