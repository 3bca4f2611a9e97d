import type { SimulationRun } from '../simulation-run.ts'
import { Violation } from '../violation.ts'
import { WORTH_A_MOVE } from './treasury-quiescence.ts'

const EVACUATIONS = {
  name: 'evacuations',
  text: `select id, planned_value::text as worth from operations
    where origin = 'rebalancer' and purpose = 'evacuation' and id > $1 order by id`,
}

interface CrumbRun extends SimulationRun {
  /** The last operation that the check has seen. */
  readonly crumbsSeen: { operation: number }
}

/** What is left of a position, or what a stranger gave of one, leaves it only if it is worth a transaction. */
export async function checkCrumbs({ database, crumbsSeen }: CrumbRun): Promise<void> {
  const { rows } = await database.reader.query<{ id: number; worth: string }>({
    ...EVACUATIONS,
    values: [crumbsSeen.operation],
  })
  for (const { id, worth } of rows) {
    crumbsSeen.operation = Number(id)
    if (BigInt(worth) < WORTH_A_MOVE)
      throw new Violation(`operation ${id} withdraws ${worth}, which is not worth its gas`)
  }
}
