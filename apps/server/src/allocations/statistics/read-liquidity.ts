import { sql } from 'kysely'
import type { Chains } from '../../chains/index.ts'
import type { Database, Tx } from '../../database/index.ts'
import { requireConfiguredToken } from '../../wallets/index.ts'
import { type Exposure, readExposures } from './read-exposures.ts'

/**
 * Why it is unknown when an amount comes back:
 * - `reserved`: an unfinished operation holds it.
 * - `illiquid`: the protocol would not pay it now.
 * - `shared`: each wallet could withdraw it, but their strategy may not hold enough for all of them.
 * - `exiting`: it was requested back, and the protocol does not say when it can be claimed.
 * - `unread`: what the protocol would pay has not been read.
 */
export const UNKNOWN_REASONS = ['reserved', 'illiquid', 'shared', 'exiting', 'unread'] as const
export type UnknownReason = (typeof UNKNOWN_REASONS)[number]

/** When an organization could get back its money in one token on one chain. Base units. */
export interface TokenLiquidity {
  readonly blockchain: string
  readonly token: string
  readonly tokenDecimals: number
  readonly total: bigint
  /** Free in the wallets. */
  readonly inWallets: bigint
  /** What strategies pay at once. */
  readonly atOnce: bigint
  /** What they pay after a known time; by seconds from now. */
  readonly later: readonly { readonly seconds: number; readonly amount: bigint }[]
  readonly unknown: Readonly<Record<UnknownReason, bigint>>
}

/**
 * The money of an organization by when it could have it back: in the wallets, at once, after the known rest of a
 * cooldown or a whole one, or at a time that nobody can know. The parts sum to the total.
 */
export async function readLiquidity(
  { db, chains }: { readonly db: Database; readonly chains: Chains },
  organizationId: number,
): Promise<TokenLiquidity[]> {
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const balances = await tx
        .selectFrom('ledger_balances')
        .innerJoin('wallets', (join) =>
          join
            .onRef('wallets.organization_id', '=', 'ledger_balances.organization_id')
            .onRef('wallets.id', '=', 'ledger_balances.wallet_id'),
        )
        .select(['wallets.blockchain', 'ledger_balances.token_address'])
        .select(({ fn }) => [
          fn.sum<bigint>('ledger_balances.available').as('available'),
          fn.sum<bigint>('ledger_balances.reserved').as('reserved'),
        ])
        .where('ledger_balances.organization_id', '=', organizationId)
        .groupBy(['wallets.blockchain', 'ledger_balances.token_address'])
        .execute()
      const places = new Map<string, TokenLiquidity>()
      for (const { blockchain, token_address, available, reserved } of balances) {
        const { symbol, decimals } = requireConfiguredToken(chains, blockchain, token_address)
        places.set(`${blockchain} ${token_address}`, {
          ...EMPTY,
          blockchain,
          token: symbol,
          tokenDecimals: decimals,
          total: available + reserved,
          inWallets: available,
          unknown: { ...NOTHING, reserved },
        })
      }
      const running = new Map<number, number>()
      for (const exit of await readOpenExits(tx, organizationId)) {
        const { strategyId, seconds } = exit
        running.set(strategyId, Math.max(running.get(strategyId) ?? 0, seconds ?? 0))
        const key = `${exit.blockchain} ${exit.tokenAddress}`
        const { blockchain, token, tokenDecimals } = exit
        places.set(key, addExit(places.get(key) ?? { ...EMPTY, blockchain, token, tokenDecimals }, exit))
      }
      for (const exposure of await readExposures(tx, organizationId)) {
        const { blockchain, token, tokenDecimals, tokenAddress } = exposure
        const key = `${blockchain} ${tokenAddress}`
        const place = places.get(key) ?? { ...EMPTY, blockchain, token, tokenDecimals }
        places.set(key, addExposure(place, exposure, running.get(exposure.strategyId) ?? 0))
      }
      return [...places.values()]
        .filter(({ total }) => total > 0n)
        .sort((a, b) => `${a.blockchain} ${a.token}`.localeCompare(`${b.blockchain} ${b.token}`))
    })
}

const NOTHING: Readonly<Record<UnknownReason, bigint>> = {
  reserved: 0n,
  illiquid: 0n,
  shared: 0n,
  exiting: 0n,
  unread: 0n,
}
const EMPTY = { total: 0n, inWallets: 0n, atOnce: 0n, later: [], unknown: NOTHING }

interface OpenExit {
  readonly strategyId: number
  readonly blockchain: string
  readonly token: string
  readonly tokenAddress: string
  readonly tokenDecimals: number
  readonly pending: bigint
  readonly claimable: bigint
  /** Until all of it can be claimed, by the clock of the chain; `null`: the protocol does not say. */
  readonly seconds: number | null
}

async function readOpenExits(tx: Tx, organizationId: number): Promise<readonly OpenExit[]> {
  const { rows } = await sql<OpenExit>`
    select s.id as "strategyId", s.blockchain, s.token, s.token_address as "tokenAddress",
      s.token_decimals as "tokenDecimals", x.pending, x.claimable,
      extract(epoch from x.claimable_at - greatest(x.read_at, c.final_time))::float8 as seconds
    from exits x join strategies s on s.id = x.strategy_id
    left join chain_cursors c on c.blockchain = s.blockchain
    where x.organization_id = ${organizationId} and x.state <> 'claimed'
  `.execute(tx)
  return rows
}

function addExit(place: TokenLiquidity, { pending, claimable, seconds }: OpenExit): TokenLiquidity {
  const isKnown = seconds !== null
  return {
    ...place,
    total: place.total + pending + claimable,
    atOnce: place.atOnce + claimable,
    later: isKnown ? [...place.later, { seconds: Math.max(seconds, 0), amount: pending }] : place.later,
    unknown: { ...place.unknown, exiting: place.unknown.exiting + (isKnown ? 0n : pending) },
  }
}

/** `running`: seconds until the last request in its strategy ends, which another one would make wait again. */
function addExposure(place: TokenLiquidity, exposure: Exposure, running: number): TokenLiquidity {
  const { value, withdrawable, unread, shared, cooldownSeconds } = exposure
  const rest = value - withdrawable - shared - unread
  const later = cooldownSeconds === null ? [] : [{ seconds: running + cooldownSeconds, amount: rest }]
  return {
    ...place,
    total: place.total + value,
    atOnce: place.atOnce + withdrawable,
    later: [...place.later, ...later],
    unknown: {
      ...place.unknown,
      illiquid: place.unknown.illiquid + (later.length > 0 ? 0n : rest),
      shared: place.unknown.shared + shared,
      unread: place.unknown.unread + unread,
    },
  }
}
