import type { EvmRunState } from '../evm-run-state.ts'
import { Violation } from '../violation.ts'
import { exitAt, isSlow } from '../world/exits.ts'
import { seconds } from '../world/world.ts'
import { settledBlockOf } from './chain.ts'

interface Row {
  readonly wallet_id: number
  readonly address: string
  readonly reconciled_block: number | null
  readonly final_number: number | null
  readonly is_quarantined: boolean
  readonly known_from: number | null
  readonly exits: readonly {
    readonly strategy: string
    readonly pending: string
    readonly claimable: string
    readonly claimed: string
    readonly read: number
  }[]
}

const EXITS = {
  name: 'exits',
  text: `select w.id as wallet_id, w.address, w.reconciled_block, c.final_number, exists (select from quarantined_wallets q
      where q.organization_id = w.organization_id and q.wallet_id = w.id) as is_quarantined,
    (select min(e.block_number) from ledger_entries e join ledger_postings p on p.entry_id = e.id
      where p.wallet_id = w.id and p.token_address = $1) as known_from,
    (select coalesce(json_agg(json_build_object('strategy', s.key, 'pending', x.pending::text,
        'claimable', x.claimable::text, 'claimed', x.claimed::text, 'read', x.read_block) order by x.id), '[]')
      from exits x join strategies s on s.id = x.strategy_id where x.wallet_id = w.id) as exits
  from wallets w left join chain_cursors c on c.blockchain = w.blockchain order by w.id`,
}

/**
 * What was requested, waits, can be claimed and was claimed, of every wallet, equals the chain: no claim counts twice or
 * not at all, and nothing is in an exit that nobody knows. Amounts are compared at the block of their last reading.
 */
export async function checkExits(run: EvmRunState): Promise<void> {
  const { world, readsAreExact } = run
  for (const market of world.markets.filter(isSlow)) {
    const { rows } = await run.database.reader.query<Row>({ ...EXITS, values: [market.token] })
    for (const row of rows) {
      const { wallet_id, address, known_from, exits } = row
      const settled = settledBlockOf(row)
      if (settled === undefined) continue
      const own = exits.filter(({ strategy }) => strategy === market.key)
      const wrong = (what: string) => {
        throw new Violation(`the exit of wallet ${wallet_id} from ${market.key} ${what}`)
      }
      const claimed = own.reduce((sum, one) => sum + BigInt(one.claimed), 0n)
      const after = known_from ?? settled
      const paidAfter = (block: number) => run.paidClaims.sum({ market, owner: address, after: block, until: settled })
      const paid = paidAfter(after)
      // A claim in the first block that a wallet is known in came before the wallet or after it.
      if (claimed !== paid && claimed !== paidAfter(after - 1))
        wrong(`was paid ${paid} on chain and counts ${claimed} as claimed`)
      if (!readsAreExact) continue
      const last = own.at(-1)
      const at = world.blocks[last ? Math.max(last.read, 0) : settled]!
      const shown = exitAt(at.state, market, address, seconds(at.time))
      const [pending, claimable] = [BigInt(last?.pending ?? 0), BigInt(last?.claimable ?? 0)]
      if (last && (pending !== shown.pending || claimable !== shown.claimable))
        wrong(
          `is ${pending} and ${claimable}, and on chain ${shown.pending} and ${shown.claimable} in block ${at.number}`,
        )
      const now = world.blocks[settled]!
      const held = exitAt(now.state, market, address, seconds(now.time))
      if (held.pending + held.claimable > 0n !== pending + claimable > 0n)
        wrong(`holds ${held.pending + held.claimable} on chain and ${pending + claimable} in the books`)
    }
  }
}
