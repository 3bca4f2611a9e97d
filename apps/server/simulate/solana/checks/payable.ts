import { Violation } from '../../violation.ts'
import type { SolanaRunState } from '../solana-run-state.ts'
import type { ClusterBlock } from '../world/cluster.ts'
import { MARKETS, type VaultMarket } from '../world/market.ts'
import { accrued, isPayableAfter, leastReported, payableFor, roomOf, worthOf } from '../world/vault.ts'

/** The price of a share is rounded before its shares are valued. */
const ROUNDING = 2n
/** Moves may land this long after they were planned. */
const LANDING_SECONDS = 3_600

/** What a vault would pay an owner, and how much it would take, in a block. */
export function termsIn({ accounts }: SolanaRunState, { state, time }: ClusterBlock, market: VaultMarket) {
  const vault = accrued(state.vaults.get(market.vault)!, time)
  const liquidity = state.amount(market.liquidity)
  const held = (owner: string) => state.amount(accounts.of(owner, market.shareMint))
  return {
    room: roomOf(vault),
    paused: vault.paused,
    worthTo: (owner: string) => worthOf(held(owner), vault),
    payableTo: (owner: string) => payableFor(held(owner), vault, liquidity),
    leastReportedTo: (owner: string) => leastReported(held(owner), vault, liquidity),
    paysLater: (amount: bigint) => isPayableAfter(LANDING_SECONDS, amount, vault, liquidity),
  }
}

const marketOf = (strategy: string) => MARKETS.find(({ key }) => key === strategy)!

const MOVES = {
  name: 'new moves',
  text: `select o.id, o.type, o.amount::text as amount, s.key as strategy, w.address as owner
    from operations o join strategies s on s.id = o.strategy_id join wallets w on w.id = o.wallet_id
    where o.origin = 'rebalancer' and o.id > $1 order by o.id`,
}

interface Move {
  readonly id: number
  readonly type: string
  readonly amount: string | null
  readonly strategy: string
  readonly owner: string
}

/**
 * When the rebalancer plans a move, its vault takes or pays as much, and still pays it when the move lands. Call it just
 * after it planned.
 */
export async function checkMoves(run: SolanaRunState): Promise<void> {
  const { rows } = await run.database.reader.query<Move>({ ...MOVES, values: [run.movesSeen.operation] })
  for (const { id, type, amount, strategy, owner } of rows) {
    run.movesSeen.operation = Number(id)
    if (!run.readsAreExact) continue
    const { room, payableTo, worthTo, paysLater } = termsIn(run, run.cluster.latest, marketOf(strategy))
    if (type === 'SUPPLY' && room !== null && BigInt(amount!) > room)
      throw new Violation(`operation ${id} deposits ${amount} into ${strategy}, which takes ${room}`)
    const payable = payableTo(owner)
    if (type === 'UNWIND' && BigInt(amount ?? 0) > payable + ROUNDING)
      throw new Violation(`operation ${id} withdraws ${amount} from ${strategy}, which pays ${payable}`)
    if (type === 'UNWIND' && !paysLater(BigInt(amount ?? worthTo(owner))))
      throw new Violation(
        `operation ${id} withdraws ${amount ?? 'all'} from ${strategy}, which does not pay it an hour later`,
      )
  }
}

const WITHDRAWABLE = {
  name: 'withdrawable',
  text: `select a.id, a.withdrawable::text as withdrawable, a.withdrawable_at as at, s.key as strategy, w.address as owner
    from allocations a join strategies s on s.id = a.strategy_id join wallets w on w.id = a.wallet_id
    where a.withdrawable is not null and a.status <> 'CLOSED' order by a.id`,
}

interface Reading {
  readonly id: number
  readonly withdrawable: string
  readonly at: Date
  readonly strategy: string
  readonly owner: string
}

/** What a position says could be withdrawn is what its vault would have paid in a block of that second, or a day later. */
export async function checkWithdrawable(run: SolanaRunState): Promise<void> {
  const { rows } = await run.database.reader.query<Reading>(WITHDRAWABLE)
  for (const { id, withdrawable, at, strategy, owner } of rows) {
    const reading = `${at.getTime()} ${withdrawable}`
    // Blocks that are read later may be of another fork.
    const isSeen = run.readingsSeen.get(id) === reading
    run.readingsSeen.set(id, reading)
    if (isSeen || !run.readsAreExact) continue
    const paid = run.cluster.blocks
      .filter(({ time }) => time * 1_000 === at.getTime())
      .map((block) => termsIn(run, block, marketOf(strategy)))
      .map((terms) => ({ most: terms.payableTo(owner), least: terms.leastReportedTo(owner) }))
    const reported = BigInt(withdrawable)
    const isTrue = paid.some(({ most, least }) => reported <= most + ROUNDING && reported >= least - ROUNDING)
    if (!isTrue)
      throw new Violation(
        `position ${id} in ${strategy} says ${withdrawable}, and its vault pays ${paid.map(({ most }) => most).join(' or ')}`,
      )
  }
}
