import { REPLACE_AFTER_MS } from '../../src/kernel/index.ts'
import { offerStuckTransactions } from '../../src/operations/index.ts'
import type { EvmRun } from '../evm-run.ts'
import { Violation } from '../violation.ts'
import type { Waiting, World } from '../world/world.ts'
import { workOff } from './quiesce.ts'
import type { Treasury } from './treasury.ts'

/**
 * Each version pays a tenth more than the one before. Agents sign with fees up to 15% above those of a version, so the
 * third one after it pays enough for nodes. What nobody reported is leased once more before that, as it is. Of a wallet
 * with several, each has its rounds when the one before it landed.
 */
const ROUNDS_MAX = 4

/**
 * Healthy agents meet fees that stay high: they are asked to replace whatever these left behind, before its operation
 * times out. Otherwise its wallet would wait until fees fall.
 */
export async function replaceStuck(run: EvmRun, treasury: Treasury, look: () => Promise<void>): Promise<void> {
  const random = run.random.fork('replacements')
  let last: string | undefined
  for (let round = 0; ; round += 1) {
    const stuck = await findStuck(run)
    if (stuck === undefined) return
    if (stuck !== last) round = 0
    if (round === ROUNDS_MAX) throw new Violation(`${stuck} is stuck, and no agent replaced it`)
    last = stuck
    run.clock.advance(REPLACE_AFTER_MS + 10_000)
    await run.request('offer stuck transactions', () => offerStuckTransactions(run.service.parts))
    await workOff(run, treasury, random)
    await look()
  }
}

/** Why a replacement waits although fees are high: nothing but time, or money for gas, helps. */
const UNAFFORDABLE = ['Its fees are at the limit for replacements.', 'The wallet cannot pay the fee of a replacement.']

/** Nor is a deposit replaced while a circuit breaker or a limit stops it (ADR 152). */
const STOPPED = 'The strategy accepts no deposits now: %'

/** Of each sender the first transaction that pays too little for any block, unless an earlier nonce is missing. */
function firstPricedOut(world: World): readonly Waiting[] {
  const first = new Map<string, Waiting>()
  for (const waiting of world.mempool.values()) {
    if (!world.isPricedOut(waiting) || waiting.nonce >= world.pendingNonce(waiting.sender)) continue
    const known = first.get(waiting.sender)
    if (!known || waiting.nonce < known.nonce) first.set(waiting.sender, waiting)
  }
  return [...first.values()]
}

/**
 * An agents’ transaction that pays too little for any block, and that could be replaced: nothing earlier of its sender
 * does. What an agent reported as FAILED after several leases stays withheld until its bytes have landed or are dead
 * (rule 4): nobody may replace it. Nor does an agent that refuses the market by now, until fees fall.
 */
async function findStuck({ world, database, refusedByAgents }: EvmRun): Promise<string | undefined> {
  for (const waiting of firstPricedOut(world)) {
    const { rows } = await database.reader.query<{ id: number }>(
      `select t.id from transactions t join operations o on o.id = t.operation_id
        join strategies s on s.id = o.strategy_id
        join agent_work w on w.transaction_id = t.id where o.executor = 'agent' and w.stage <> 'withheld'
        and (w.pause_reason is null or (w.pause_reason <> all ($3) and w.pause_reason not like $5))
        and (o.type = 'REVOKE' or s.key <> all ($4::text[]))
        and o.state in ('EXECUTING', 'CONFIRMING') and t.can_still_land and t.sender = $1 and t.nonce = $2`,
      [waiting.sender, waiting.nonce, UNAFFORDABLE, refusedByAgents, STOPPED],
    )
    if (rows[0]) return `transaction ${rows[0].id} with nonce ${waiting.nonce}`
  }
  return undefined
}
