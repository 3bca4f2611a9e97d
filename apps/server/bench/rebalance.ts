import { sql } from 'kysely'
import pg from 'pg'
import { evaluateDueWallets, type RebalanceParts, scheduleDriftedWallets } from '../src/rebalancing/index.ts'
import type { BenchDatabase, BenchEnvironment } from './bench-environment.ts'
import { type Comparison, compare, inTurns, summary } from './compare.ts'
import { TOKEN, WALLET_BALANCE } from './memory-chain.ts'
import { seedWallets } from './seed.ts'
import { HISTORY, SHORT_HISTORY, seedHistory } from './seed-history.ts'
import { EXCESS } from './seed-neighbour.ts'

const WALLETS = 100_000
/** One in this many wallets has something to move. */
const ONE_OF = 100
const ROUNDS = 5
const FEW = 200
const PAGE = 5_000

/**
 * One pass of the rebalancer over 100,000 operational wallets, 1% of them due. It screens all of them, evaluates the
 * due ones and plans a move for each, with chain reads from memory. Also prints seconds, pages and memory.
 */
export async function rebalanceBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const database = await workplace.openDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const wallets = workplace.sized(WALLETS, FEW)
    await seedWallets(database, database.organizationId, wallets)
    await seedHistory(database, database.organizationId, workplace.sized(HISTORY, SHORT_HISTORY))
    await makeOperational(database)
    database.chain.allowance = EXCESS
    const parts = rebalanceParts(database)
    const scan = inTurns('paged scan', () => scanAll(client))
    const screening = inTurns('schedule drifted wallets', () =>
      scheduleDriftedWallets(parts.db, parts.chains, { settings: parts.rebalancing, now: parts.clock.now() }),
    )
    const none = await compare('rebalance: screening 100,000 operational wallets, none due', screening, scan, {
      rounds: workplace.sized(7, 1),
      milliseconds: 1,
      target: 0.5,
    })
    const ratios: number[] = []
    for (let round = 0; round < workplace.sized(ROUNDS, 1); round += 1) {
      await makeDue(database, round)
      const scanned = await timed(() => scanAll(client))
      const passed = await pass(parts)
      ratios.push(scanned / passed.seconds)
      console.error(
        `  pass ${round + 1}: ${passed.seconds.toFixed(1)} s, ${passed.evaluated} due of ${wallets}, ${passed.planned} planned, ` +
          `${Math.ceil(wallets / PAGE)} pages screened, ${passed.pages} evaluated, ${passed.grown} MiB more at the peak; ` +
          `the scan alone took ${scanned.toFixed(1)} s`,
      )
    }
    // At most as long as three scans.
    const whole = summary('rebalance: a pass with 1% due, their moves planned', 'paged scan', ratios, 1 / 3)
    return [none, whole]
  } finally {
    await client.end()
    await database.close()
  }
}

/** The parts of the rebalancer, with the settings that benchmarks use. */
export function rebalanceParts({ parts }: BenchDatabase): RebalanceParts {
  const rebalancing = {
    floor: { digits: 1n, scale: 0 },
    dust: { digits: 1n, scale: 2 },
    horizonDays: 30,
    withdrawHoldMs: 3_600_000,
    nativeUsd: {},
  }
  return { ...parts, rebalancing }
}

/** Makes all wallets operational, and leaves them in balance: each keeps all of its funds. */
async function makeOperational(database: BenchDatabase): Promise<void> {
  await sql`
    insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, created_at,
      updated_at)
    select organization_id, id, ${TOKEN}, true, ${WALLET_BALANCE.toString()}::numeric, now(), now() from wallets
  `.execute(database.parts.db)
  await sql`update strategies set apy = 0.05`.execute(database.parts.db)
  await sql`analyze`.execute(database.parts.db)
}

/** Lowers the buffer of different wallets each round: wallets of earlier rounds keep their operations. */
async function makeDue({ parts }: BenchDatabase, round: number): Promise<void> {
  await sql`
    update operational_wallets set buffer_amount = ${(WALLET_BALANCE - EXCESS).toString()}::numeric where id % ${ONE_OF} = ${round}
  `.execute(parts.db)
}

/** The baseline: reads every row that screening reads, page by page, with the same driver, and decides nothing. */
async function scanAll(client: pg.Client): Promise<number> {
  let seen = 0
  for (let after = 0; ; ) {
    const { rows } = await client.query<{ id: string }>({
      name: 'scan',
      text: `select p.id, p.enable_yield, p.buffer_amount, p.due_at, w.blockchain, b.available, b.deployed
        from (select * from operational_wallets where id > $1 order by id limit ${PAGE}) p
        join wallets w on w.organization_id = p.organization_id and w.id = p.wallet_id
        join ledger_balances b on b.organization_id = p.organization_id and b.wallet_id = p.wallet_id
          and b.token_address = p.token_address
        order by p.id`,
      values: [after],
    })
    seen += rows.length
    if (rows.length < PAGE) return seen
    after = Number(rows.at(-1)!.id)
  }
}

interface PassResult {
  readonly seconds: number
  readonly evaluated: number
  readonly planned: number
  readonly pages: number
  /** Growth of the process's memory at its peak, in MiB. */
  readonly grown: number
}

async function pass(parts: RebalanceParts): Promise<PassResult> {
  const planned = async () => Number((await countOperations(parts)).rows[0]?.count ?? 0)
  const before = await planned()
  const { rss } = process.memoryUsage()
  let peak = rss
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 10)
  let evaluated = 0
  let pages = 0
  const seconds = await timed(async () => {
    evaluated = await scheduleDriftedWallets(parts.db, parts.chains, {
      settings: parts.rebalancing,
      now: parts.clock.now(),
    })
    while ((await evaluateDueWallets(parts)) > 0) pages += 1
  })
  clearInterval(watch)
  return { seconds, evaluated, planned: (await planned()) - before, pages, grown: Math.round((peak - rss) / 1_048_576) }
}

const countOperations = ({ db }: RebalanceParts) => sql<{ count: number }>`select count(*) from operations`.execute(db)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1_000
}
