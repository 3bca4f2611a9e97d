import { expectAllPosted, expectSnapshots, readSnapshots, type Snapshot, utcDayOf } from '../../checks/ended-days.ts'
import { Violation } from '../../violation.ts'
import type { SolanaRunState } from '../solana-run-state.ts'
import type { ClusterBlock } from '../world/cluster.ts'
import { MARKETS, type VaultMarket } from '../world/market.ts'
import type { Vault } from '../world/state.ts'
import { accrued, worthOf } from '../world/vault.ts'

/** The price of a share is rounded before its shares are valued. */
const ROUNDING = 1n

const marketOf = (strategy: string): VaultMarket => MARKETS.find(({ key }) => key === strategy)!
const dayOf = ({ time }: ClusterBlock): string => utcDayOf(new Date(time * 1_000))

/** By day: its final blocks, of days that a final block of a later one has ended. */
function endedDays({ cluster }: SolanaRunState): ReadonlyMap<string, readonly ClusterBlock[]> {
  const days = Map.groupBy(cluster.blocks.slice(0, cluster.final.height + 1), dayOf)
  days.delete(dayOf(cluster.final))
  return days
}

/**
 * The snapshot of a day is worth what the position's shares were worth when that day ended (ADR 176), by its last block,
 * or, where only the activity of wallets is read, by a block after the position's last movement of that day. Nodes keep
 * no past states, so a vault that was touched since may be as of that touch, with interest up to the end of the day. Up
 * to one rounding unit. Reads the cluster directly.
 */
export async function checkSnapshots(run: SolanaRunState): Promise<void> {
  const snapshots = await readSnapshots(run)
  // Wallets that nodes cannot list are compared with the chain later.
  if (run.isSpammed) return
  let days: ReturnType<typeof endedDays> | undefined
  for (const snapshot of snapshots) {
    const { position, day, value } = snapshot
    const isSeen = run.snapshotsSeen.get(`${position} ${day}`) === value
    run.snapshotsSeen.set(`${position} ${day}`, value)
    if (isSeen) continue
    days ??= endedDays(run)
    const blocks = days.get(day)
    if (!blocks) throw new Violation(`position ${position} has a snapshot of ${day}, which has not ended`)
    const worths = worthsOf(run, snapshot, blocks)
    if (!worths.some((worth) => worth - BigInt(value) >= 0n && worth - BigInt(value) <= ROUNDING)) {
      const [first] = worths
      throw new Violation(
        `position ${position} is worth ${value} at the end of ${day}, and ${first} in slot ${blocks.at(-1)!.slot}`,
      )
    }
  }
}

/** What a position may be worth at the end of a day; first, what it was worth in its last block. */
function worthsOf(
  run: SolanaRunState,
  { strategy, owner }: Snapshot,
  blocks: readonly ClusterBlock[],
): readonly bigint[] {
  const { cluster, accounts, followsWallets } = run
  const { vault, shareMint } = marketOf(strategy)
  const sharesIn = ({ state }: ClusterBlock) => state.amount(accounts.of(owner, shareMint))
  const last = blocks.at(-1)!
  const shares = sharesIn(last)
  const moved = blocks.findLastIndex((block) => sharesIn(block) !== shares)
  const ends = followsWallets ? blocks.slice(moved + 1).toReversed() : [last]
  const times = [...new Set(ends.map(({ time }) => time))]
  const later = [...cluster.blocks, ...cluster.abandoned].filter(({ time }) => time >= times.at(-1)!)
  // Copies of a state share the vaults that did not change.
  const vaults = new Set([last.state.vaults.get(vault)!, ...later.map(({ state }): Vault => state.vaults.get(vault)!)])
  return times.flatMap((time) => [...vaults].map((each) => worthOf(shares, accrued(each, time))))
}

/** At rest no end of a day is left to post, and every position that had shares when a day ended has its snapshot. */
export async function checkEndedDays(run: SolanaRunState): Promise<void> {
  await expectAllPosted(run)
  // A strategy that nodes do not serve for minutes is left out. Where only activity is read, days may have no block.
  if (!run.readsAreExact || run.followsWallets) return
  const ends = new Map([...endedDays(run)].map(([day, blocks]) => [day, blocks.at(-1)!]))
  const times = new Map([...ends].map(([day, { time }]) => [day, new Date(time * 1_000)]))
  await expectSnapshots(run, times, (day, { strategy, owner }) =>
    ends.get(day)!.state.amount(run.accounts.of(owner, marketOf(strategy).shareMint)),
  )
}
