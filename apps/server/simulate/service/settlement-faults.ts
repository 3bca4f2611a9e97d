import type { CompiledQuery } from 'kysely'

/** The statement of a settlement that fails: the last one of a whole wallet, or its first entry. */
type FailingStatement = 'reconciliation' | 'entry'

/** How the driver reports a row that a constraint refuses. */
class Unsettleable extends Error {
  override readonly name = 'Unsettleable'
  readonly code = '23514'
}

/** Whether the simulation made a settlement fail with this. */
export const isUnsettleable = (error: unknown): boolean => error instanceof Unsettleable

/** What a quarantine says of such a settlement. */
export const UNSETTLEABLE = 'new row violates check constraint "simulated"'

/** Wallets whose settlements fail in every process, until their cause is gone. */
export class SettlementFaults {
  readonly #failing = new Map<number, FailingStatement>()
  readonly #known = new Set<number>()

  fail(walletId: number, statement: FailingStatement): void {
    this.#failing.set(walletId, statement)
    this.#known.add(walletId)
  }

  /** The cause is gone. */
  heal(): void {
    this.#failing.clear()
  }

  /** The wallets whose settlements fail at present. */
  get failing(): readonly number[] {
    return [...this.#failing.keys()]
  }

  /** Whether settlements of this wallet fail, or did once. */
  mayBeQuarantined(walletId: number): boolean {
    return this.#known.has(walletId)
  }

  /** Looks at the statements of one transaction in their order, and throws at the one that fails. */
  watch(): (query: CompiledQuery) => void {
    let isSettling = false
    return (query) => {
      isSettling ||= query.sql.includes('with locked as materialized')
      if (!isSettling || this.#failing.size === 0) return
      for (const [walletId, statement] of this.#failing)
        if (statement === 'entry' ? postsFor(query, walletId) : reconciles(query, walletId))
          throw new Unsettleable(UNSETTLEABLE)
    }
  }
}

function postsFor({ sql, parameters: [lines] }: CompiledQuery, walletId: number): boolean {
  if (!sql.includes('insert into ledger_entries') || typeof lines !== 'string') return false
  return (JSON.parse(lines) as { wallet_id: number }[]).some((line) => line.wallet_id === walletId)
}

/** What only requests a reconciliation belongs to no settlement. */
function reconciles({ sql, parameters }: CompiledQuery, walletId: number): boolean {
  if (!sql.includes('set reconciled_block = r.block_number')) return false
  const [, walletIds, blocks] = parameters as readonly (readonly (number | null)[])[]
  return walletIds!.some((id, index) => id === walletId && blocks![index] !== null)
}
