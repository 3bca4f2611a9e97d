import { type Database, preparedQuery } from '../../database/index.ts'
import type { Strategy } from '../port.ts'
import { strategyFrom, strategyRows } from './strategy.ts'

const byId = preparedQuery('strategy by id', (db, placeholder: (name: 'id') => never) =>
  strategyRows(db).where('s.id', '=', placeholder('id')),
)

/** The strategy with this id, in any status; `undefined` if there is none. */
export async function strategyById(db: Database, id: number): Promise<Strategy | undefined> {
  const [row] = await byId(db, { id })
  return row && strategyFrom(row)
}

/** Every strategy of a chain, including paused and deprecated ones, which may still hold positions. */
export async function strategiesOnChain(db: Database, blockchain: string): Promise<Strategy[]> {
  const rows = await strategyRows(db).where('s.blockchain', '=', blockchain).execute()
  return rows.map(strategyFrom)
}
