import type { EvmRun } from '../evm-run.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

const WALLETS = {
  name: 'wallets',
  text: `select w.id, w.organization_id, w.address, w.reconciled_block, c.final_number, exists (select from quarantined_wallets q
      where q.organization_id = w.organization_id and q.wallet_id = w.id) as is_quarantined,
    (select coalesce(json_agg(json_build_object('token', b.token_address, 'available', b.available::text,
        'reserved', b.reserved::text, 'deployed', b.deployed::text,
        'exiting', b.exiting::text, 'yield', b.yield::text,
        'missing', (select coalesce(sum(k.amount), 0)::text from ledger_breaks k where k.wallet_id = b.wallet_id
          and k.token_address = b.token_address and k.closed_at is null))), '[]')
      from ledger_balances b where b.wallet_id = w.id) as balances,
    (select coalesce(json_agg(json_build_object('strategy', s.key, 'shares', a.shares::text)), '[]')
      from allocations a join strategies s on s.id = a.strategy_id
      where a.wallet_id = w.id and a.status <> 'CLOSED') as positions
  from wallets w left join chain_cursors c on c.blockchain = w.blockchain order by w.id`,
}

export interface WalletRow {
  readonly id: number
  readonly organization_id: number
  readonly address: string
  readonly reconciled_block: number | null
  readonly final_number: number | null
  readonly is_quarantined: boolean
  readonly balances: readonly Record<
    'token' | 'available' | 'reserved' | 'deployed' | 'exiting' | 'yield' | 'missing',
    string
  >[]
  readonly positions: readonly { strategy: string; shares: string }[]
}

/**
 * The block that a wallet's ledger shows; `undefined` where its reconciliation is requested. A round that was interrupted
 * between a wallet and the cursor leaves the wallet one block ahead, a quarantine any number of blocks behind.
 */
export function settledBlockOf({
  reconciled_block,
  final_number,
  is_quarantined,
}: Pick<WalletRow, 'reconciled_block' | 'final_number' | 'is_quarantined'>): number | undefined {
  if (reconciled_block === null || final_number === null) return undefined
  return is_quarantined ? reconciled_block : Math.max(reconciled_block, final_number)
}

export async function readWallets(run: SimulationRun): Promise<WalletRow[]> {
  return (await run.database.reader.query<WalletRow>(WALLETS)).rows
}

/**
 * The ledger of every reconciled wallet matches the chain at the last settled block, or an open break explains the
 * difference (rule 7 and 8). Reads the chain directly, bypassing faulty nodes.
 */
export async function checkChain(run: EvmRun): Promise<void> {
  const { world } = run
  for (const wallet of await readWallets(run)) {
    const settled = settledBlockOf(wallet)
    if (settled === undefined) continue
    const { state, number } = world.blocks[settled]!
    for (const { token, available, reserved, missing } of wallet.balances) {
      const recorded = BigInt(available) + BigInt(reserved) - BigInt(missing)
      const chain = state.balance(token, wallet.address)
      if (recorded !== chain) {
        throw new Violation(
          `wallet ${wallet.id} has ${recorded} of ${token} in the ledger and ${chain} on chain at block ${number}`,
        )
      }
      if (BigInt(missing) > 0n && BigInt(available) > 0n) {
        throw new Violation(`wallet ${wallet.id} has ${token} available while a break is open`)
      }
    }
    for (const market of world.markets) {
      const recorded = BigInt(wallet.positions.find(({ strategy }) => strategy === market.key)?.shares ?? 0)
      const chain = state.balance(market.share, wallet.address)
      if (recorded !== chain) {
        throw new Violation(
          `wallet ${wallet.id} has ${recorded} shares of ${market.key} in the ledger and ${chain} on chain at block ${number}`,
        )
      }
    }
  }
}
