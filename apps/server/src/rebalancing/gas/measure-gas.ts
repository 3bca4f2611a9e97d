import { sql } from 'kysely'
import type { Chain } from '../../chains/index.ts'
import { type Database, runItems } from '../../database/index.ts'
import { createOutageLogs, Failure, GAS_RUNWAY_LOG_LIMIT, GAS_WALLETS_BATCH } from '../../kernel/index.ts'
import type { Parts } from '../../operations/index.ts'
import { MOVE_GAS } from './read-gas-cost.ts'

/** The operational wallet of a chain whose native coins pay for the fewest transactions. */
export interface GasRunway {
  readonly blockchain: string
  readonly walletId: number
  /** Supplies or unwinds at the chain's current fees. */
  readonly transactions: number
}

export interface GasMeter {
  /** Measures the next page of wallets, in the order of their ids; after the last one it begins again. */
  round(): Promise<void>
  /** The lowest of the last pass and of the current one, by chain. */
  lowest(): readonly GasRunway[]
}

interface GasWalletRow {
  readonly organization_id: number
  readonly id: number
  readonly wallet_id: number
  readonly blockchain: string
  readonly address: string
}

type Lowest = Map<string, GasRunway>

/**
 * Measures how many more transactions the gas of operational wallets pays for. A page is one statement, and for each chain one batched
 * read and the fees. Nothing is stored: another process that takes the work over measures again. Wallets of an
 * unavailable chain, or of one that cannot be measured, keep the last pass's value.
 */
export function createGasMeter({ db, chains, log }: Pick<Parts, 'db' | 'chains' | 'log'>): GasMeter {
  let last: Lowest = new Map()
  let current: Lowest = new Map()
  let after = { organizationId: 0, id: 0 }
  const short = createOutageLogs(log, {
    away: 'a wallet has little gas left: fund it with native coins',
    back: 'a wallet has enough gas again',
  })

  function note(runway: GasRunway): void {
    const { blockchain, walletId, transactions } = runway
    if (transactions < (current.get(blockchain)?.transactions ?? Number.POSITIVE_INFINITY))
      current.set(blockchain, runway)
    if (transactions >= 2 * GAS_RUNWAY_LOG_LIMIT) short.recovered({ blockchain, walletId })
    else if (transactions < GAS_RUNWAY_LOG_LIMIT) short.failed({ blockchain, walletId }, { transactions })
  }

  return {
    lowest: () =>
      [...new Set([...last.keys(), ...current.keys()])].map((blockchain) => {
        const [one, other] = [last.get(blockchain), current.get(blockchain)]
        return one && other ? (one.transactions < other.transactions ? one : other) : (one ?? other)!
      }),
    async round() {
      const page = await readPage(db, after)
      await runItems({ db, log }, [...Map.groupBy(page, (row) => row.blockchain)], {
        job: 'measure gas',
        keyOf: ([blockchain]) => blockchain,
        work: ([blockchain, wallets]) => measure(blockchain, wallets),
      })
      const end = page.at(-1)
      if (end && page.length === GAS_WALLETS_BATCH) after = { organizationId: end.organization_id, id: end.id }
      else {
        last = current
        current = new Map()
        after = { organizationId: 0, id: 0 }
      }
    },
  }

  async function measure(blockchain: string, wallets: readonly GasWalletRow[]): Promise<void> {
    const chain = chains.get(blockchain)
    let runways: readonly GasRunway[] | undefined
    try {
      runways = chain && (await runwaysOf(chain, wallets))
    } finally {
      if (runways === undefined) keepLast(blockchain)
    }
    for (const runway of runways ?? []) note(runway)
  }

  function keepLast(blockchain: string): void {
    const known = last.get(blockchain)
    if (known && !current.has(blockchain)) current.set(blockchain, known)
  }
}

async function readPage(db: Database, after: { organizationId: number; id: number }): Promise<GasWalletRow[]> {
  const { rows } = await sql<GasWalletRow>`
    select ow.organization_id, ow.id, ow.wallet_id, w.blockchain, w.address
    from operational_wallets ow
    join wallets w on w.organization_id = ow.organization_id and w.id = ow.wallet_id
    join organizations o on o.id = ow.organization_id and o.deleted_at is null
    where (ow.organization_id, ow.id) > (${after.organizationId}, ${after.id})
    order by ow.organization_id, ow.id limit ${GAS_WALLETS_BATCH}
  `.execute(db)
  return rows
}

/** Undefined while the chain is unavailable; empty where transactions cost nothing. */
export async function runwaysOf(
  chain: Chain,
  rows: readonly Pick<GasWalletRow, 'wallet_id' | 'address'>[],
): Promise<GasRunway[] | undefined> {
  const wallets = [...new Map(rows.map((row) => [row.wallet_id, row])).values()]
  try {
    const [balances, state] = await Promise.all([
      chain.balances(wallets.map(({ address }) => ({ owner: address, token: 'native' }))),
      chain.senderState(wallets[0]!.address),
    ])
    const fee = chain.networkFee([MOVE_GAS], state)
    if (fee <= 0n) return []
    const { blockchain } = chain.network
    return wallets.map(({ wallet_id: walletId }, at) => {
      return { blockchain, walletId, transactions: Number(balances[at]! / fee) }
    })
  } catch (error) {
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') return undefined
    throw error
  }
}
