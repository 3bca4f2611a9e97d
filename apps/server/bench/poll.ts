import { sql } from 'kysely'
import { createTransactionPolls } from '../src/agents/index.ts'
import { runPrepared } from '../src/database/index.ts'
import { register } from '../src/identity/index.ts'
import { claimTransaction } from '../src/operations/leasing/claim-transaction.ts'
import type { BenchDatabase, BenchEnvironment } from './bench-environment.ts'
import { type Comparison, summary } from './compare.ts'
import { seedAgentWork, WAITING_AMOUNT } from './seed.ts'
import { HISTORY, SHORT_HISTORY, seedHistory } from './seed-history.ts'

interface QueueSize {
  readonly waiting: number
  readonly leased: number
}
const SMALL: QueueSize = { waiting: 1_000, leased: 0 }
const LARGE: QueueSize = { waiting: 1_000_000, leased: 100_000 }
const TINY: QueueSize = { waiting: 20, leased: 3 }
/** Fewer than the small queue holds. Claimed work is put back after each round, unmeasured. */
const POLLS = 400
const CLAIMS = 800
const LANES = 4
const ROUNDS = 9

interface Queue {
  readonly organizationId: number
  /** Makes the claimed work ready again. */
  putBack(): Promise<void>
}

/**
 * Three comparisons: a poll with a million waiting, the oldest hundred thousand leased to others, against one with a
 * thousand; its claim against a bare `for update skip locked`; and a poll that finds nothing, with much against little
 * unavailable work to skip.
 */
export async function pollBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const database = await workplace.openDatabase()
  try {
    database.chain.allowance = WAITING_AMOUNT
    const history = workplace.sized(HISTORY, SHORT_HISTORY)
    const small = await queueOf(database, history, workplace.sized(SMALL, { ...TINY, leased: 0 }))
    const large = await queueOf(database, history, workplace.sized(LARGE, { ...TINY, waiting: 40 }))
    const { polls, claims, rounds } = workplace.sized(
      { polls: POLLS, claims: CLAIMS, rounds: ROUNDS },
      { polls: 4, claims: 8, rounds: 1 },
    )
    const bare = await bareQueueOf(database, large.organizationId)
    const poll = createTransactionPolls(database.parts)
    const polling =
      ({ organizationId }: Queue) =>
      async () => {
        const issued = await poll({ organizationId, leaseDurationMs: 600_000, signal: AbortSignal.abort() })
        if (!issued) throw new Error('the poll did not find the waiting work')
      }
    const claiming = async () => {
      const { parts } = database
      const asked = { organizationId: large.organizationId, blockchains: ['polygon'], leaseToken: 'lease_bench' }
      if (!(await claimTransaction(parts.db, { ...asked, now: parts.clock.now() })))
        throw new Error('nothing was claimed')
    }
    const comparisons = [
      await inRounds(
        { title: 'poll with 1,000,000 waiting', baseline: '1,000 waiting', size: [polls, rounds], target: 0.8 },
        [large, polling(large)],
        [small, polling(small)],
      ),
      await inRounds(
        { title: 'claim alone', baseline: 'bare skip locked', size: [claims, rounds], target: 0.8 },
        [large, claiming],
        [bare, () => bareClaim(database, bare)],
      ),
    ]
    await leaseAll(database, large)
    await leaseAll(database, small)
    const asking =
      ({ organizationId }: Queue) =>
      async () => {
        const found = await poll({ organizationId, leaseDurationMs: 30_000, signal: AbortSignal.abort() })
        if (found) throw new Error('all work should be leased')
      }
    const stays = (queue: Queue) => ({ ...queue, putBack: async () => {} })
    comparisons.push(
      await inRounds(
        {
          title: 'poll that finds nothing, 1,000,000 leased',
          baseline: '1,000 leased',
          size: [claims, rounds],
          target: 0.8,
        },
        [stays(large), asking(large)],
        [stays(small), asking(small)],
      ),
    )
    return comparisons
  } finally {
    await database.close()
  }
}

type Side = readonly [queue: Queue, once: () => Promise<unknown>]

interface BenchRounds {
  readonly title: string
  readonly baseline: string
  readonly size: readonly [times: number, rounds: number]
  readonly target: number
}

/** Both sides do the same number of calls in each round, one directly after the other, in alternating order. */
async function inRounds(
  { title, baseline, size: [times, rounds], target }: BenchRounds,
  ours: Side,
  theirs: Side,
): Promise<Comparison> {
  const ratios: number[] = []
  for (let round = -1; round < rounds; round += 1) {
    const seconds = new Map<Side, number>()
    for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours]) {
      seconds.set(side, await timeOf(side[1], times))
      await side[0].putBack()
    }
    if (round >= 0) ratios.push(seconds.get(theirs)! / seconds.get(ours)!)
  }
  return summary(title, baseline, ratios, target)
}

async function timeOf(once: () => Promise<unknown>, times: number): Promise<number> {
  const began = performance.now()
  let left = times
  const lane = async () => {
    while (left > 0) {
      left -= 1
      await once()
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return performance.now() - began
}

/** Work that waits, of an organization that has had so many operations before. */
async function queueOf(database: BenchDatabase, history: number, { waiting, leased }: QueueSize): Promise<Queue> {
  const { db } = database.parts
  const { organization } = await register(database.parts, {
    email: `agent-of-${waiting}@weir.example`,
    password: 'a long enough password',
    organizationName: `With ${waiting} waiting`,
  })
  const organizationId = organization.id
  await seedAgentWork(database, organizationId, waiting, leased)
  await seedHistory(database, organizationId, history)
  return {
    organizationId,
    async putBack() {
      await sql`
        with mine as (
          update agent_work set stage = 'ready', lease_token = null, leased_until = null, claimed_at = null,
            issued_at = null, lease_count = 0
          where organization_id = ${organizationId} and blockchain = 'polygon' and stage in ('leased', 'paused')
            and lease_token is not null
          returning transaction_id
        )
        update transactions t set can_still_land = false, unsigned_bytes = null, nonce = null
        from mine where t.organization_id = ${organizationId} and t.id = mine.transaction_id
      `.execute(db)
      await sql`vacuum agent_work`.execute(db)
    },
  }
}

/** The same rows in a separate table, with only a key and the one index that a claim needs. */
async function bareQueueOf({ parts: { db } }: BenchDatabase, organizationId: number): Promise<Queue> {
  await sql`create table bare_queue (like agent_work including defaults)`.execute(db)
  await sql`set statement_timeout = 0`.execute(db)
  await sql`insert into bare_queue select * from agent_work where organization_id = ${organizationId}`.execute(db)
  await sql`alter table bare_queue add primary key (organization_id, transaction_id)`.execute(db)
  await sql`create index on bare_queue (organization_id, operation_id) where stage = 'ready'`.execute(db)
  await sql`analyze bare_queue`.execute(db)
  return {
    organizationId,
    async putBack() {
      await sql`update bare_queue set stage = 'ready', lease_token = null where lease_token is not null`.execute(db)
      await sql`vacuum bare_queue`.execute(db)
    },
  }
}

async function bareClaim({ parts: { db } }: BenchDatabase, { organizationId }: Queue): Promise<void> {
  const claimed = await runPrepared(
    db,
    'bare claim',
    sql`
      update bare_queue set stage = 'leased', lease_token = 'lease_bench', leased_until = now() + interval '30 seconds'
      where (organization_id, transaction_id) = (
        select organization_id, transaction_id from bare_queue
        where organization_id = ${organizationId} and stage = 'ready'
        order by operation_id limit 1 for update skip locked)
      returning transaction_id, operation_id
    `,
  )
  if (claimed.length === 0) throw new Error('nothing was claimed')
}

/** Leases everything for longer than the benchmark takes. */
async function leaseAll({ parts: { db } }: BenchDatabase, { organizationId }: Queue): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`
      update agent_work set stage = 'leased', available_at = now() + interval '1 hour'
      where organization_id = ${organizationId} and stage = 'ready'
    `.execute(connection)
    await sql`vacuum analyze agent_work`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}
