import { sql } from 'kysely'
import { outageLogsBy } from '../../kernel/index.ts'
import type { SandboxChain, SandboxParts } from '../parts.ts'
import { recordTreasuryInclusions } from './record-treasury-inclusions.ts'
import { advanceSend, matchesGenesis } from './treasury-sends.ts'

type ResendParts = Pick<SandboxParts, 'db' | 'log'>

const resentOf = outageLogsBy({
  away: 'resent a stored treasury send',
  back: 'a resent treasury send is in a block',
  level: 'info',
})
const refusalsOf = outageLogsBy({
  away: 'a treasury send was refused',
  back: 'a treasury send is no longer refused',
})

/**
 * Sends every stored payment that is in no block again, with the same bytes and in order of nonces: a process may have
 * ended before the send, or the chain may have lost its last blocks (rule 5). That includes what deposit addresses
 * returned: nothing asks for it once its payment has ended, and each later return of the address would wait behind it.
 * Runs at start and periodically, in any process. Nothing is paid twice, because the bytes have one nonce. Throws
 * CHAIN_UNAVAILABLE.
 */
export async function resendStored({ db, log }: ResendParts, chain: SandboxChain): Promise<void> {
  if (!(await matchesGenesis(db, chain))) return
  const { network, treasury, faultFree } = chain
  const { blockchain } = network
  const sendersOfChain = db.selectFrom('treasury_sends').select('sender').where('blockchain', '=', blockchain)
  const senders = (await sendersOfChain.distinct().execute()).map(({ sender }) => sender)
  const firstUnsettled = await treasury.firstUnfinalizedNonces(senders)
  const rows = await db
    .selectFrom('treasury_sends')
    .select(['tx_hash', 'raw', 'nonce'])
    .where('blockchain', '=', blockchain)
    .where((row) => row.or([row('state', '=', 'stored'), isUnsettled(senders, firstUnsettled)]))
    // What the treasury pays comes first: it is the gas and the tokens of the others.
    .orderBy((row) => row('sender', '=', treasury.address), 'desc')
    .orderBy('nonce')
    .execute()
  if (rows.length === 0) return

  const found = await recordTreasuryInclusions(
    { db },
    chain,
    rows.map((row) => row.tx_hash),
  )
  const [resent, refusals] = [resentOf(log, log), refusalsOf(log, log)]
  const included = new Set(found.map(({ hash }) => hash))
  for (const { tx_hash: hash, raw, nonce } of rows) {
    const send = { blockchain, hash, nonce }
    if (included.has(hash)) {
      resent.recovered(send)
      refusals.recovered(send)
      continue
    }
    const sent = await faultFree.broadcast(raw)
    if (sent.outcome === 'accepted') resent.failed(send)
    if (sent.outcome === 'refused') refusals.failed(send, sent)
    else refusals.recovered(send)
    if (sent.outcome === 'stale') {
      // A node also calls bytes stale that landed since the first look: the next round records them.
      const [landed] = await faultFree.findTransactions([hash])
      if (landed) continue
      log.warn(
        { blockchain, hash, nonce },
        'a treasury send can no longer land: somebody else used its nonce, or its blockhash expired',
      )
      await advanceSend(db, hash, { event: 'went_stale' })
    }
  }
}

/** Whether a row's nonce is one that the chain does not count for its sender. */
const isUnsettled = (senders: readonly string[], first: readonly number[]) => sql<boolean>`
  nonce >= (
    select unsettled.first from unnest(${senders}::text[], ${first}::bigint[]) as unsettled (sender, first)
    where unsettled.sender = treasury_sends.sender
  )`
