import { QUARANTINE_RETRY_MS } from '../../src/kernel/index.ts'
import { UNSETTLEABLE } from '../service/settlement-faults.ts'
import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'

/** After this long, every quarantined wallet is due. */
export const SETTLES_AGAIN_MS: number = QUARANTINE_RETRY_MS.max

const QUARANTINED = {
  name: 'quarantined wallets',
  text: `select q.wallet_id::float8 as id, q.error, w.address, w.reconciled_block::int as settled, c.final_number::int as final,
      (select coalesce(json_agg(json_build_object('number', b.block_number, 'isPast', b.is_past) order by b.block_number), '[]')
        from quarantined_blocks b where b.organization_id = q.organization_id and b.wallet_id = q.wallet_id) as deferred
    from quarantined_wallets q join wallets w on w.organization_id = q.organization_id and w.id = q.wallet_id
    left join chain_cursors c on c.blockchain = w.blockchain order by q.wallet_id`,
}

interface QuarantinedRow {
  readonly id: number
  readonly error: string
  readonly address: string
  readonly settled: number | null
  readonly final: number | null
  readonly deferred: readonly { readonly number: number; readonly isPast: boolean }[]
}

/** Whether a block moved tokens or shares of an address; absent where nobody can say. */
type MovesIn = (block: number, address: string) => boolean

/**
 * Only wallets whose settlement fails are quarantined. Such a wallet keeps each block that it misses, and settles none
 * before an earlier one (rule 7).
 */
export async function checkQuarantine(
  { database, service, quarantined }: SimulationRun,
  movesIn?: MovesIn,
): Promise<void> {
  const { rows } = await database.reader.query<QuarantinedRow>(QUARANTINED)
  for (const { id, error, address, settled, final, deferred } of rows) {
    if (error !== UNSETTLEABLE || !service.settlements.mayBeQuarantined(id))
      throw new Violation(`wallet ${id} could not be settled: ${error}`)
    quarantined.add(id)
    if (settled === null || final === null) continue
    const earlier = deferred.find(({ number, isPast }) => !isPast && number < settled)
    if (earlier) throw new Violation(`quarantined wallet ${id} settled block ${settled} before block ${earlier.number}`)
    if (!movesIn) continue
    for (let block = settled + 1; block <= final; block += 1) {
      if (!movesIn(block, address) || deferred.some(({ number }) => number === block)) continue
      throw new Violation(`quarantined wallet ${id} neither settled block ${block} nor keeps it for later`)
    }
  }
}

/** At rest no wallet is quarantined, and no block waits for one. */
export async function expectNoQuarantine({ database }: SimulationRun): Promise<void> {
  const { rows } = await database.reader.query<{ id: number; blocks: string | null }>(
    `select q.wallet_id::float8 as id, (select string_agg(b.block_number::text, ', ' order by b.block_number)
        from quarantined_blocks b where b.organization_id = q.organization_id and b.wallet_id = q.wallet_id) as blocks
      from quarantined_wallets q order by q.wallet_id`,
  )
  if (rows[0]) throw new Violation(`at rest wallet ${rows[0].id} is still quarantined, with blocks ${rows[0].blocks}`)
}

/** The causes are gone, and every wallet is due. */
export async function endQuarantines({ database, service, clock }: SimulationRun): Promise<void> {
  service.settlements.heal()
  const { rows } = await database.reader.query('select from quarantined_wallets limit 1')
  if (rows.length > 0) clock.advance(SETTLES_AGAIN_MS)
}
