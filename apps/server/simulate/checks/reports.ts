import type { SimulationRun } from '../simulation-run.ts'
import type { AgentWork } from '../treasury/agent.ts'
import type { Treasury } from '../treasury/treasury.ts'
import { Violation } from '../violation.ts'

interface Row {
  readonly state: string
  readonly failure_reason: string | null
}

/**
 * An agent's FAILED alone proves nothing (rule 4): it ends the operation only if these bytes were never issued to
 * anyone else and the lease is held. Call it before the report, and the returned check after it.
 */
export async function checkFailed(
  play: SimulationRun,
  treasury: Treasury,
  { issued }: AgentWork,
): Promise<() => Promise<void>> {
  const { operationId } = issued.operation
  const { transactionId, unsignedBytes } = issued.transaction
  const before = await stateOf(play, operationId)
  return async () => {
    const after = await stateOf(play, operationId)
    if (before.state !== 'EXECUTING' || after.state === before.state) return
    const versions = treasury.issued.of(transactionId)
    const newest = versions.at(-1)
    const isAlone = newest?.bytes === unsignedBytes && newest.times === 1 && newest.leasedUntil > play.clock.now()
    if (isAlone) return
    throw new Violation(
      `a FAILED report ended operation ${operationId}, whose bytes were given ${treasury.issued.timesOf(transactionId)} times`,
    )
  }
}

async function stateOf(play: SimulationRun, operationId: number): Promise<Row> {
  const { rows } = await play.books.reader.query<Row>('select state, failure_reason from operations where id = $1', [
    operationId,
  ])
  return rows[0]!
}
