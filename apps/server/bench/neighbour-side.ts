import { sql } from 'kysely'
import { generateKey, register } from '../src/identity/index.ts'
import { evaluateDueWallets } from '../src/rebalancing/index.ts'
import { createFollower } from '../src/watch/index.ts'
import type { BenchDatabase, BenchEnvironment } from './bench-environment.ts'
import { type Contender, inLanes } from './compare.ts'
import { AMOUNT, landed, planOne } from './landed-supplies.ts'
import { rebalanceParts } from './rebalance.ts'
import { seedWallets } from './seed.ts'
import { seedHistory } from './seed-history.ts'
import { EXCESS, makeOperational, seedOperationalWallets } from './seed-neighbour.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** An organization, with what sends its requests. */
export interface Tenant {
  readonly organizationId: number
  readonly key: Record<string, string>
  readonly session: Record<string, string>
  /** One of its transactions. */
  readonly transactionId: number
}

/** A database with its server: an organization that is measured, and perhaps its neighbour. */
export interface Side {
  readonly name: string
  readonly server: ServerProcess
  readonly measured: Tenant
  readonly neighbour: Tenant | undefined
  /** Plans supplies of the measured organization. */
  readonly plan: Contender
  /** Follows a block with supplies of the measured organization; returns the milliseconds. */
  settle(): Promise<number>
  /** Makes wallets of the measured organization due, and evaluates until none is left; returns the milliseconds. */
  evaluate(): Promise<number>
  /** Evaluates a page of due wallets under these limits, each with something to move; returns the milliseconds. */
  evaluatePage(depositLimits: 'conservative' | 'none'): Promise<number>
  close(): Promise<void>
}

export interface SideOptions {
  readonly name: string
  /** Of the measured organization. */
  readonly wallets: number
  /** Of these, how many are operational. */
  readonly operational: number
  readonly operations: number
  /** Supplies of a block, and wallets that become due together. */
  readonly atOnce: number
  /** Of the neighbour; 0: there is none. */
  readonly neighbours: number
  readonly operationsOfNeighbour: number
}

export async function openSide(workplace: BenchEnvironment, options: SideOptions): Promise<Side> {
  const database = await workplace.openDatabase()
  const { parts, chain, strategyId } = database
  const { id: organizationId, session } = await registerNamed(database, 'measured')
  const own = { ...database, organizationId }
  await seedWallets(database, organizationId, options.wallets)
  await seedHistory(database, organizationId, options.operations)
  const wallets = await walletsOf(own)
  const operational = wallets.splice(0, options.operational)
  await makeOperational(own, operational)
  let neighbour: Tenant | undefined
  if (options.neighbours > 0) {
    const registered = await registerNamed(database, 'neighbour')
    await seedOperationalWallets({ ...database, organizationId: registered.id }, options.neighbours)
    await seedHistory(database, registered.id, options.operationsOfNeighbour)
    neighbour = await tenantOf(database, registered)
  }
  await sql`update strategies set apy = 0.05`.execute(parts.db)
  chain.allowance = AMOUNT
  const server = await startServer('weir-server', database.url)
  return {
    name: options.name,
    server,
    measured: await tenantOf(database, { id: organizationId, session }),
    neighbour,
    plan: inLanes(options.name, 8, () => planOne({ parts, organizationId, strategyId }, wallets.pop()!)),
    settle: await settlements(own, wallets, options.atOnce),
    evaluate: evaluations(own, operational, options.atOnce),
    evaluatePage: (depositLimits) => evaluatePage(own, depositLimits),
    async close() {
      await server.stop()
      await database.close()
    },
  }
}

interface Registered {
  readonly id: number
  readonly session: Record<string, string>
}

async function registerNamed({ parts }: BenchDatabase, name: string): Promise<Registered> {
  const { organization, accessToken } = await register(parts, {
    email: `${name}@weir.example`,
    password: 'a long enough password',
    organizationName: name,
  })
  return { id: organization.id, session: { authorization: `Bearer ${accessToken}` } }
}

async function tenantOf({ parts }: BenchDatabase, { id, session }: Registered): Promise<Tenant> {
  const { transactionId } = await parts.db
    .selectFrom('transactions')
    .select(({ fn }) => fn.max<number>('id').as('transactionId'))
    .where('organization_id', '=', id)
    .executeTakeFirstOrThrow()
  const { apiKey } = await generateKey(parts, { organizationId: id, name: 'bench' })
  return { organizationId: id, key: { 'x-api-key': apiKey }, session, transactionId }
}

async function walletsOf({ parts, organizationId }: BenchDatabase): Promise<number[]> {
  const rows = await parts.db
    .selectFrom('wallets')
    .select('id')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Each call plans supplies of the next wallets, unmeasured, and follows the final block that has them. */
async function settlements(database: BenchDatabase, wallets: number[], atOnce: number): Promise<Side['settle']> {
  const { parts, chain, organizationId } = database
  const follower = createFollower(parts, chain, { isDevelopment: true, print: () => {} })
  const { signal } = new AbortController()
  await follower.round(signal)
  return async () => {
    const planned = await Promise.all(wallets.splice(0, atOnce).map((id) => planOne(database, id)))
    for (const { transactions } of planned) chain.supplied.set(transactions[0]!.sender, AMOUNT)
    chain.append(planned.map(landed))
    const took = await timeOf(() => follower.round(signal))
    const { completed } = await parts.db
      .selectFrom('operations')
      .select(({ fn }) => fn.countAll<number>().as('completed'))
      .where('organization_id', '=', organizationId)
      .where('state', '=', 'COMPLETED')
      .where(
        'id',
        'in',
        planned.map(({ operationId }) => operationId),
      )
      .executeTakeFirstOrThrow()
    if (completed !== planned.length) throw new Error(`${completed} of ${planned.length} operations were settled`)
    return took
  }
}

function evaluations(database: BenchDatabase, wallets: number[], atOnce: number): Side['evaluate'] {
  const { chain, organizationId } = database
  const parts = rebalanceParts(database)
  const ofThese = (ids: readonly number[]) =>
    sql`organization_id = ${organizationId} and wallet_id = any(${ids}::bigint[])`
  const count = async (query: ReturnType<typeof sql<{ count: number }>>) =>
    (await query.execute(parts.db)).rows[0]!.count
  return async () => {
    const ids = wallets.splice(0, atOnce)
    chain.allowance = EXCESS
    await sql`update operational_wallets set due_at = now() where ${ofThese(ids)}`.execute(parts.db)
    const due = sql<{ count: number }>`
      select count(*) as count from operational_wallets where ${ofThese(ids)} and due_at <= now()`
    const took = await timeOf(async () => {
      do await evaluateDueWallets(parts)
      while ((await count(due)) > 0)
    })
    chain.allowance = AMOUNT
    const planned = await count(sql`select count(distinct wallet_id) as count from operations
      where ${ofThese(ids)} and state not in ('COMPLETED', 'FAILED', 'ABORTED', 'REJECTED')`)
    if (planned !== ids.length) throw new Error(`${planned} of ${ids.length} moves were planned`)
    return took
  }
}

async function evaluatePage(database: BenchDatabase, depositLimits: 'conservative' | 'none'): Promise<number> {
  const { chain } = database
  const { rebalancing, ...parts } = rebalanceParts(database)
  const planned = async () =>
    (await sql<{ count: number }>`select count(*) as count from operations`.execute(parts.db)).rows[0]!.count
  chain.allowance = EXCESS
  // Following the chain read an empty pool. This one is so deep that no limit is reached.
  await sql`update strategies set tvl = 1e24, liquidity = 1e24`.execute(parts.db)
  const before = await planned()
  let evaluated = 0
  const took = await timeOf(async () => {
    evaluated = await evaluateDueWallets({ ...parts, rebalancing: { ...rebalancing, depositLimits } })
  })
  chain.allowance = AMOUNT
  const moves = (await planned()) - before
  if (moves !== evaluated) throw new Error(`${moves} of ${evaluated} moves were planned`)
  return took
}

export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
