import { type Database, inTransaction, isInfrastructureFailure, type Tx } from '../../database/index.ts'
import { type Clock, ERASURE_BATCH, Failure, type Log, outageLogsBy } from '../../kernel/index.ts'
import { appendAuditEntry } from '../audit/append-audit-entry.ts'
import { hostEvent } from '../security-events/host-event.ts'
import type { SecurityEventRecorder } from '../security-events/security-event.ts'
import { SYSTEM_ACTOR } from '../shared/actor.ts'
import { type Erasure, type ErasureStep, erasureFrom } from './erasure.ts'

/** What an erased organization is called. */
const ERASED_NAME = '[erased]'

export interface ErasureParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** In this order: a later step may destroy what an earlier one needs. */
  readonly steps: readonly ErasureStep[]
  readonly securityEvents?: SecurityEventRecorder | undefined
}

/**
 * Destroys the personal data of a deleted organization whose erasure was requested, step by step, each batch in one
 * transaction with the progress. Its ledger and audit log stay; the log names members by id only. After a crash the next
 * call continues where the last commit was; several at once take turns. Returns the finished erasure, or with the signal
 * the one that ended after a batch.
 *
 * Errors: ORGANIZATION_NOT_FOUND; those of a step that must wait, such as CONFLICT with `details.reason`
 * `payments_under_way`. The progress shows the reason.
 */
export async function eraseOrganization(
  parts: ErasureParts,
  organizationId: number,
  report: (erasure: Erasure) => void = () => {},
  signal?: AbortSignal,
): Promise<Erasure> {
  for (;;) {
    const erasure = await eraseBatch(parts, organizationId).catch(async (error: unknown) => {
      // An earlier reason would hide from the metric that it fails now.
      if (!isInfrastructureFailure(error)) await recordWaiting(parts, organizationId, error)
      throw error
    })
    report(erasure)
    if (erasure.finishedAt !== null || signal?.aborted) return erasure
  }
}

const outagesOf = outageLogsBy({
  away: 'failed to erase the personal data of an organization',
  back: 'the personal data of an organization can be erased again',
  level: 'error',
})

export interface ErasureRound {
  /** Aborted: end after the batch under way. */
  readonly signal?: AbortSignal
  /** Called after each batch. */
  readonly moved?: () => void
}

/**
 * Runs every requested erasure, oldest first. One that must wait, or fails, does not stop the others. Returns how many
 * it finished.
 */
export async function eraseRequested(parts: ErasureParts, { signal, moved }: ErasureRound = {}): Promise<number> {
  const open = await parts.db
    .selectFrom('organization_erasures')
    .select('organization_id as organizationId')
    .where('finished_at', 'is', null)
    .orderBy('requested_at')
    .limit(ERASURE_BATCH)
    .execute()
  const outages = outagesOf(parts.log, parts.log)
  let finished = 0
  for (const { organizationId } of open) {
    if (signal?.aborted) break
    try {
      const { finishedAt } = await eraseOrganization(parts, organizationId, moved, signal)
      if (finishedAt !== null) finished += 1
      outages.recovered({ organizationId })
    } catch (error) {
      // The job logs once that the database is unavailable.
      if (isInfrastructureFailure(error)) throw error
      if (!(error instanceof Failure && error.code === 'CONFLICT')) outages.failed({ organizationId }, { err: error })
    }
  }
  return finished
}

async function eraseBatch(parts: ErasureParts, organizationId: number): Promise<Erasure> {
  let isLast = false
  const erasure = await inTransaction(parts.db, async (tx) => {
    const before = await lockErasure(tx, organizationId)
    if (before.finishedAt !== null) return before
    const at = parts.clock.now()
    // A step that this version does not know was another version's: every step can be repeated.
    const position = Math.max(
      0,
      parts.steps.findIndex(({ name }) => name === before.step),
    )
    const step = parts.steps[position]
    const rows = step === undefined ? 0 : await step.erase(tx, { organizationId, at })
    const next = rows > 0 ? step : parts.steps[position + 1]
    const erased = step === undefined ? before.erased : addTo(before.erased, step.name, rows)
    isLast = next === undefined
    if (isLast) await finish(tx, { organizationId, at, erased })
    return await writeProgress(tx, { ...before, erased, step: next?.name ?? null, finishedAt: isLast ? at : null })
  })
  if (isLast) {
    parts.securityEvents?.record(hostEvent({ type: 'organization_erased', organizationId }))
    parts.log.info({ organizationId, erased: erasure.erased }, 'erased the personal data of an organization')
  }
  return erasure
}

/** The organization's lock keeps two processes from the same batch. Errors as {@link requestErasureOfDeleted}. */
async function lockErasure(tx: Tx, organizationId: number): Promise<Erasure> {
  const organization = await tx
    .selectFrom('organizations')
    .select('deleted_at')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (organization === undefined) throw new Failure('ORGANIZATION_NOT_FOUND')
  const row = await tx
    .selectFrom('organization_erasures')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .forUpdate()
    .executeTakeFirst()
  if (organization.deleted_at === null || row === undefined)
    throw new Failure('CONFLICT', { message: 'The organization is not deleted, or its erasure was not requested.' })
  return erasureFrom(row)
}

function addTo(erased: Erasure['erased'], name: string, rows: number): Erasure['erased'] {
  return { ...erased, [name]: (erased[name] ?? 0) + rows }
}

async function finish(
  tx: Tx,
  { organizationId, at, erased }: { organizationId: number; at: Date; erased: Erasure['erased'] },
): Promise<void> {
  await tx
    .updateTable('organizations')
    .set({ name: ERASED_NAME, erased_at: at })
    .where('id', '=', organizationId)
    .execute()
  await appendAuditEntry(tx, {
    organizationId,
    actor: SYSTEM_ACTOR,
    action: 'finishErasure',
    objectType: 'organization',
    objectId: organizationId,
    from: null,
    at,
    details: { ...erased },
  })
}

async function writeProgress(tx: Tx, erasure: Erasure): Promise<Erasure> {
  const row = await tx
    .updateTable('organization_erasures')
    .set({
      step: erasure.step,
      erased: JSON.stringify(erasure.erased),
      waits_for: null,
      finished_at: erasure.finishedAt,
    })
    .where('organization_id', '=', erasure.organizationId)
    .returningAll()
    .executeTakeFirstOrThrow()
  return erasureFrom(row)
}

async function recordWaiting({ db }: ErasureParts, organizationId: number, error: unknown): Promise<void> {
  const reason = error instanceof Failure ? error.details?.reason : null
  await db
    .updateTable('organization_erasures')
    .set({ waits_for: typeof reason === 'string' ? reason : null })
    .where('organization_id', '=', organizationId)
    .where('finished_at', 'is', null)
    .execute()
}
