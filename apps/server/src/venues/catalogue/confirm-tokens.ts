import type { Chain } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import type { Log } from '../../kernel/index.ts'
import type { Strategy } from '../port.ts'
import { venueFor } from '../venue-for.ts'
import { strategiesOnChain } from './find-strategies.ts'

/**
 * Reads from each contract of a public chain which token it takes, before anything is planned there: a catalogue
 * address that is wrong, or belongs to another chain, must not receive money. A strategy whose contract takes another
 * token is paused, with an error in the log, and stays so across restarts until a check finds the right token; one that
 * is unreadable is unchanged and checked again at the next start. Throws CHAIN_UNAVAILABLE when the chain is
 * unavailable.
 */
export async function confirmTokens(parts: { db: Database; log: Log }, chain: Chain): Promise<void> {
  const rows = await parts.db
    .selectFrom('strategies')
    .select('id')
    .where('blockchain', '=', chain.network.blockchain)
    .where('paused_because', '=', 'wrong_token')
    .execute()
  const paused = new Set(rows.map(({ id }) => id))
  const strategies = (await strategiesOnChain(parts.db, chain.network.blockchain)).filter(
    ({ id, status }) => status === 'active' || paused.has(id),
  )
  if (strategies.length === 0) return
  for (const { strategy, token } of await readTokens(chain, strategies)) {
    if (token === undefined) continue
    const isRight = token === strategy.tokenAddress
    if (isRight !== paused.has(strategy.id)) continue
    if (isRight) await liftPause(parts.db, strategy.id)
    else {
      parts.log.error(
        { blockchain: chain.network.blockchain, strategy: strategy.key, token },
        'a contract takes a different token than the catalogue says',
      )
      await pause(parts.db, strategy.id)
    }
  }
}

async function pause(db: Database, id: number): Promise<void> {
  await db
    .updateTable('strategies')
    .set({ status: 'paused', paused_because: 'wrong_token' })
    .where('id', '=', id)
    .execute()
}

async function liftPause(db: Database, id: number): Promise<void> {
  await db
    .updateTable('strategies')
    .set(({ ref }) => ({ status: ref('announced_status').$notNull(), paused_because: null }))
    .where('id', '=', id)
    .where('announced_status', 'is not', null)
    .execute()
}

/** What each venue reads from its own contracts, all in the same tick, so that one request carries them. */
async function readTokens(chain: Chain, strategies: readonly Strategy[]) {
  const byProtocol = [...Map.groupBy(strategies, ({ protocol }) => protocol)]
  const read = await Promise.all(
    byProtocol.map(async ([protocol, own]) => {
      const tokens = await venueFor(protocol).acceptedTokens(chain, own)
      return own.map((strategy, index) => ({ strategy, token: tokens[index] }))
    }),
  )
  return read.flat()
}
