import type { EvmRunState } from '../evm-run-state.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'
import { worth } from '../world/contracts.ts'
import type { Market } from '../world/market.ts'
import { seconds, type WorldBlock } from '../world/world.ts'

const SNAPSHOTS = {
  name: 'snapshots',
  text: `select s.allocation_id as position, s.day::text as day, s.value::text as value, s.yield::text as earned,
      s.cumulative_yield::text as earned_in_all, t.key as strategy, w.address as owner
    from yield_snapshots s
    join allocations a on a.organization_id = s.organization_id and a.id = s.allocation_id
    join strategies t on t.id = a.strategy_id join wallets w on w.id = a.wallet_id
    order by s.allocation_id, s.day`,
}

export interface Snapshot {
  readonly position: number
  readonly day: string
  readonly value: string
  readonly earned: string
  readonly earned_in_all: string
  readonly strategy: string
  readonly owner: string
}

/** Every snapshot; what each says of its day adds up to what it says of all days. */
export async function readSnapshots({ database }: SimulationRun): Promise<readonly Snapshot[]> {
  const { rows } = await database.reader.query<Snapshot>(SNAPSHOTS)
  let before: Snapshot | undefined
  for (const snapshot of rows) {
    const earlier = before?.position === snapshot.position ? BigInt(before.earned_in_all) : 0n
    if (earlier + BigInt(snapshot.earned) !== BigInt(snapshot.earned_in_all)) {
      throw new Violation(
        `position ${snapshot.position} earned ${earlier} before ${snapshot.day}, ${snapshot.earned} on it, and ${snapshot.earned_in_all} in all`,
      )
    }
    before = snapshot
  }
  return rows
}

export const utcDayOf = (time: Date): string => time.toISOString().slice(0, 10)

/** By day: its last final block, of days that a final block of a later one has ended. */
function endsOfDays({ world }: EvmRunState): ReadonlyMap<string, WorldBlock> {
  const final = world.blocks.slice(0, world.final.number + 1)
  const ends = new Map(final.map((block) => [utcDayOf(block.time), block]))
  ends.delete(utcDayOf(world.final.time))
  return ends
}

const worthAt = ({ state, time }: WorldBlock, market: Market, owner: string): bigint =>
  worth(market, state.balance(market.share, owner), market.price(seconds(time)))

/**
 * The snapshot of a day is worth what the position's shares were worth at the last block of that day, to the unit (ADR
 * 176), whenever it was written and whatever nodes failed to serve: the chain waits for that price, or leaves the
 * position out. What a position earned since the snapshot before is the change of that worth, if nothing moved it and
 * nothing was on its way out, which earns as well. Reads the chain directly.
 */
export async function checkSnapshots(run: EvmRunState): Promise<void> {
  const ends = endsOfDays(run)
  let before: { readonly position: number; readonly end: WorldBlock; readonly worth: bigint } | undefined
  for (const { position, day, value, earned, strategy, owner } of await readSnapshots(run)) {
    const end = ends.get(day)
    if (!end) throw new Violation(`position ${position} has a snapshot of ${day}, which has not ended`)
    const market = run.world.markets.find(({ key }) => key === strategy)!
    const expected = worthAt(end, market, owner)
    if (expected !== BigInt(value)) {
      throw new Violation(
        `position ${position} is worth ${value} at the end of ${day}, and ${expected} in block ${end.number}`,
      )
    }
    const wasQuiet = before?.position === position && isQuiet(run, { market, owner, from: before.end, to: end })
    if (wasQuiet && expected - before!.worth !== BigInt(earned))
      throw new Violation(
        `position ${position} earned ${earned} until ${day}, and its price ${expected - before!.worth}`,
      )
    before = { position, end, worth: expected }
  }
}

interface Period {
  readonly market: Market
  readonly owner: string
  readonly from: WorldBlock
  readonly to: WorldBlock
}

/** Whether no transaction moved an owner's shares after a block, up to another one, and no exit was open in it. */
function isQuiet({ world }: EvmRunState, { market, owner, from, to }: Period): boolean {
  const { waiting, claimable } = from.state.exit(market.contract, owner)
  if (waiting.length > 0 || claimable > 0n) return false
  return world.blocks
    .slice(from.number + 1, to.number + 1)
    .every(({ moves }) =>
      [...moves.values()].every((own) => own.every((one) => one.token !== market.share || one.owner !== owner)),
    )
}

const POSITIONS = {
  name: 'positions of days',
  text: `select a.id as position, a.wallet_id::float8 as wallet, a.opened_at, a.closed_at, t.key as strategy, w.address as owner,
      (select coalesce(array_agg(s.day::text), '{}') from yield_snapshots s
        where s.organization_id = a.organization_id and s.allocation_id = a.id) as days
    from allocations a join strategies t on t.id = a.strategy_id join wallets w on w.id = a.wallet_id order by a.id`,
}

interface PositionRow {
  readonly position: number
  readonly wallet: number
  readonly opened_at: Date
  readonly closed_at: Date | null
  readonly strategy: string
  readonly owner: string
  readonly days: readonly string[]
}

const DEPLOYED = {
  name: 'deployed by block',
  text: `select p.wallet_id as wallet, w.address as owner, p.token_address as token, e.block_number as block,
      sum(p.amount) filter (where p.account = 'deployed')::text as deployed
    from ledger_entries e
    join ledger_postings p on p.organization_id = e.organization_id and p.entry_id = e.id
    join wallets w on w.id = p.wallet_id
    where e.block_number is not null group by 1, 2, 3, 4 order by 4`,
}

interface DeployedRow {
  readonly wallet: number
  readonly owner: string
  readonly token: string
  readonly block: number
  readonly deployed: string | null
}

/**
 * At rest no end of a day is left to post: every position that was open in the last block of a day has its snapshot, and
 * what the ledger holds as deployed up to that block is what all positions were worth in it, to the unit.
 */
export async function checkEndedDays(run: EvmRunState): Promise<void> {
  await expectAllPosted(run)
  // A strategy that nodes do not serve for minutes is left out: its yield counts for the next day.
  if (!run.readsAreExact) return
  const ends = endsOfDays(run)
  const times = new Map([...ends].map(([day, { time }]) => [day, time]))
  await expectSnapshots(run, times, (day, { strategy, owner }) =>
    ends.get(day)!.state.balance(run.world.markets.find(({ key }) => key === strategy)!.share, owner),
  )
  await expectDeployed(run, ends)
}

export async function expectAllPosted({ database }: SimulationRun): Promise<void> {
  const { rows } = await database.reader.query<{ block: number }>('select block_number as block from ended_days')
  if (rows[0]) throw new Violation(`at rest yield up to block ${rows[0].block} is still not posted`)
}

/**
 * Every position that had shares when a day ended has a snapshot of that day; `ends`: the time of its last block. A day
 * that ends while its wallet is in quarantine has none: what it earned counts for the next one (ADR 81).
 */
export async function expectSnapshots(
  { database, quarantined }: SimulationRun,
  ends: ReadonlyMap<string, Date>,
  sharesAt: (day: string, position: { readonly strategy: string; readonly owner: string }) => bigint,
): Promise<void> {
  const { rows } = await database.reader.query<PositionRow>(POSITIONS)
  for (const { position, wallet, opened_at, closed_at, days, ...held } of rows) {
    if (quarantined.has(wallet)) continue
    for (const [day, end] of ends) {
      const isOpen = opened_at <= end && (closed_at === null || closed_at > end)
      if (isOpen && sharesAt(day, held) > 0n && !days.includes(day))
        throw new Violation(`position ${position} was open at the end of ${day}, and has no snapshot of it`)
    }
  }
}

type Ends = ReadonlyMap<string, WorldBlock>

async function expectDeployed({ database, world, quarantined }: EvmRunState, ends: Ends): Promise<void> {
  const { rows } = await database.reader.query<DeployedRow>(DEPLOYED)
  for (const own of Map.groupBy(rows, ({ wallet, token }) => `${wallet} ${token}`).values()) {
    const { wallet, owner, token, block: knownFrom } = own[0]!
    if (quarantined.has(Number(wallet))) continue
    const markets = world.markets.filter((market) => market.token === token)
    for (const [day, end] of ends) {
      if (end.number < knownFrom) continue
      const deployed = own
        .filter(({ block }) => block <= end.number)
        .reduce((sum, row) => sum + BigInt(row.deployed ?? 0), 0n)
      const expected = markets.reduce((sum, market) => sum + worthAt(end, market, owner), 0n)
      if (deployed !== expected) {
        throw new Violation(
          `wallet ${wallet} has ${deployed} of ${token} deployed at the end of ${day}, and ${expected} in block ${end.number}`,
        )
      }
    }
  }
}
