import { sql } from 'kysely'
import type { Chain } from '../chains/index.ts'
import type { Database } from '../database/index.ts'
import { greatest, mulDivDown } from '../kernel/index.ts'
import { type Strategy, strategiesOnChain } from '../venues/index.ts'
import type { Option } from './allocator.ts'
import { gasThereAndBack } from './gas.ts'
import type { RebalanceSettings } from './settings.ts'

/** The strategies of one chain and token, as they stand now. */
export interface Market {
  readonly strategies: readonly Strategy[]
  /** Changes when a strategy comes, goes, or changes its status (decisions 10). */
  readonly fingerprint: string
  /** Gas there and back in base units of the token. */
  readonly gas: bigint
}

/** Reads the market of a token; the sender is whose fees are asked for. One HTTP call at most. */
export async function readMarket(
  db: Database,
  chain: Chain,
  tokenAddress: string,
  sender: string,
  settings: Pick<RebalanceSettings, 'nativeUsd'>,
): Promise<Market> {
  const all = await strategiesOnChain(db, chain.network.blockchain)
  const strategies = all.filter((strategy) => strategy.tokenAddress === tokenAddress)
  const decimals = strategies[0]?.tokenDecimals ?? 0
  const nativeUsd = settings.nativeUsd[chain.network.blockchain]
  return {
    strategies,
    fingerprint: strategies.map(({ id, status }) => `${id} ${status}`).join(', '),
    gas: await gasThereAndBack(chain, sender, nativeUsd, decimals),
  }
}

/** What of a market can take a deposit. `rooms`: what the organization's caps leave, by strategy. */
export function optionsOf({ strategies, gas }: Market, rooms: ReadonlyMap<number, bigint>): Option[] {
  return strategies
    .filter(({ status }) => status === 'active')
    .map(({ id, name, apy, minDeposit, maxDeposit }) => ({
      strategyId: id,
      name,
      apy,
      minDeposit,
      maxDeposit,
      room: rooms.get(id) ?? null,
      gas,
    }))
}

/**
 * What the caps of an organization leave of each capped strategy, in base units: its share of all that the organization
 * has of the token on that chain, less what is in the strategy.
 */
export async function roomsOf(db: Database, organizationId: number): Promise<ReadonlyMap<number, bigint>> {
  const { rows } = await sql<{ strategy_id: number; share_bps: number; whole: bigint; inside: bigint }>`
    select c.strategy_id, c.share_bps,
      (select coalesce(sum(b.available + b.reserved + b.deployed), 0) from ledger_balances b
        join wallets w on w.organization_id = b.organization_id and w.id = b.wallet_id
        where b.organization_id = c.organization_id and b.token_address = s.token_address
          and w.blockchain = s.blockchain) as whole,
      (select coalesce(sum(a.posted_value), 0) from allocations a
        where a.organization_id = c.organization_id and a.strategy_id = c.strategy_id and a.status <> 'CLOSED') as inside
    from strategy_caps c join strategies s on s.id = c.strategy_id
    where c.organization_id = ${organizationId}
  `.execute(db)
  return new Map(
    rows.map(({ strategy_id, share_bps, whole, inside }) => [
      strategy_id,
      greatest(mulDivDown(whole, BigInt(share_bps), 10_000n) - inside, 0n),
    ]),
  )
}
