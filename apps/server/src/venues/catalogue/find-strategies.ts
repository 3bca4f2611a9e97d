import { type Database, preparedQuery } from '../../database/index.ts'
import type { Strategy } from '../port.ts'
import { strategyFrom, strategyRows } from './strategy.ts'

const byId = preparedQuery('strategy by id', (db, place: (name: 'id') => never) =>
  strategyRows(db).where('s.id', '=', place('id')),
)

/** The strategy with this id, whatever its status; `undefined` when there is none. */
export async function strategyById(db: Database, id: number): Promise<Strategy | undefined> {
  const [row] = await byId(db, { id })
  return row && strategyFrom(row)
}

/** Every strategy of a chain, paused and deprecated ones too: positions stay in those. */
export async function strategiesOnChain(db: Database, blockchain: string): Promise<Strategy[]> {
  const rows = await strategyRows(db).where('s.blockchain', '=', blockchain).execute()
  return rows.map(strategyFrom)
}
