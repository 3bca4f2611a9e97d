import { Failure } from '../../src/kernel/index.ts'
import type { IssuedBytes } from '../../src/operations/index.ts'
import type { SimulationRun } from '../simulation-run.ts'
import type { IssuedVersions } from '../treasury/issued-versions.ts'
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
  run: SimulationRun,
  versions: IssuedVersions,
  issued: IssuedBytes,
): Promise<() => Promise<void>> {
  const { operationId } = issued.operation
  const { transactionId, unsignedBytes } = issued.transaction
  const before = await stateOf(run, operationId)
  return async () => {
    const after = await stateOf(run, operationId)
    if (before.state !== 'EXECUTING' || after.state === before.state) return
    const newest = versions.of(transactionId).at(-1)
    const isAlone = newest?.bytes === unsignedBytes && newest.times === 1 && newest.leasedUntil > run.clock.now()
    if (isAlone) return
    throw new Violation(
      `a FAILED report ended operation ${operationId}, whose bytes were issued ${versions.timesOf(transactionId)} times`,
    )
  }
}

interface Reported {
  readonly transactionId: number
  readonly leaseToken?: string | undefined
}

/** Passes on the result of a report. Nobody had the bytes after the latest lease, so its holder is heard. */
export async function expectHeard<T>(
  versions: IssuedVersions,
  { transactionId, leaseToken }: Reported,
  report: Promise<T>,
): Promise<T> {
  try {
    return await report
  } catch (error) {
    const isLost = error instanceof Failure && error.code === 'LEASE_LOST'
    if (isLost && leaseToken !== undefined && versions.isLatestLease(transactionId, leaseToken))
      throw new Violation(`the FAILED report of the latest lease of transaction ${transactionId} is refused`)
    throw error
  }
}

async function stateOf(run: SimulationRun, operationId: number): Promise<Row> {
  const { rows } = await run.database.reader.query<Row>('select state, failure_reason from operations where id = $1', [
    operationId,
  ])
  return rows[0]!
}
