import type { Database } from '../../database/index.ts'
import type { Strategy } from '../port.ts'
import { strategyFrom, strategyRows } from './strategy.ts'

/** The strategy with this id, whatever its status; `undefined` when there is none. */
export async function strategyById(db: Database, id: number): Promise<Strategy | undefined> {
  const row = await strategyRows(db).where('s.id', '=', id).executeTakeFirst()
  return row && strategyFrom(row)
}

/** Every strategy of a chain, paused and deprecated ones too: positions stay in those. */
export async function strategiesOnChain(db: Database, blockchain: string): Promise<Strategy[]> {
  const rows = await strategyRows(db).where('s.blockchain', '=', blockchain).execute()
  return rows.map(strategyFrom)
}
