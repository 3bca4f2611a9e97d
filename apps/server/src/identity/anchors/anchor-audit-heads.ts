import type { Database } from '../../database/index.ts'
import { addMilliseconds, type Clock, createOutageLog, type Log, type OutageLog } from '../../kernel/index.ts'
import { anchorLine, anchorText, digestOf } from './anchor.ts'
import { createAnchor } from './create-anchor.ts'
import { storedAnchor } from './stored-anchors.ts'

/** Sends an anchor to one place outside the database. */
export interface AnchorPublisher {
  /** For the log: `file`. */
  readonly name: string
  /**
   * Throws if it could not; the anchor is then sent again. `line` is the anchor with its digest on one line; `text` is
   * what the digest covers. Returns a time stamp token to store and to send to the places after it.
   */
  publish(anchor: { readonly id: number; readonly text: string; readonly line: string }): Promise<Buffer | undefined>
}

interface AnchorParts {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  /** In order: the token of one is part of the lines of those after it. */
  readonly publishers: readonly AnchorPublisher[]
}

/**
 * Sends anchors that are not everywhere yet, oldest first; without one, makes a new anchor if the last one is older than
 * the interval and a head moved. A failure is logged, and the next call tries again. One process at a time may call it.
 */
export async function anchorAuditHeads(parts: AnchorParts, intervalMs: number): Promise<void> {
  if (!(await publishWaiting(parts))) return
  const now = parts.clock.now()
  const last = await parts.db.selectFrom('audit_anchors').select('at').orderBy('id', 'desc').limit(1).executeTakeFirst()
  // An anchor of the future is from a clock that was set back: waiting for it could take years.
  if (last && last.at <= now && addMilliseconds(last.at, intervalMs) > now) return
  if ((await createAnchor(parts.db, now)) !== undefined) await publishWaiting(parts)
}

const OUTAGES = new WeakMap<AnchorPublisher, OutageLog>()

function outageOf(publisher: AnchorPublisher, log: Log): OutageLog {
  const known = OUTAGES.get(publisher)
  if (known) return known
  const away = 'failed to send an anchor of the audit log; retrying'
  const outage = createOutageLog(log, { away, back: 'anchors of the audit log are sent again' })
  OUTAGES.set(publisher, outage)
  return outage
}

/** Returns whether all anchors are everywhere. */
async function publishWaiting(parts: AnchorParts): Promise<boolean> {
  const { db, clock, log } = parts
  for (;;) {
    const waiting = await db
      .selectFrom('audit_anchors')
      .select(['id', 'at', 'previous_digest', 'token'])
      .where('published_at', 'is', null)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (waiting === undefined) return true
    const { id } = waiting
    const text = anchorText(await storedAnchor(db, waiting))
    let { token } = waiting
    for (const publisher of parts.publishers) {
      try {
        const stamped = await publisher.publish({ id, text, line: anchorLine(text, digestOf(text), token) })
        outageOf(publisher, log).recovered({ to: publisher.name })
        if (stamped === undefined) continue
        token = stamped
        await db.updateTable('audit_anchors').set({ token }).where('id', '=', id).execute()
      } catch (error) {
        outageOf(publisher, log).failed({ err: error, anchor: id, to: publisher.name })
        return false
      }
    }
    await db.updateTable('audit_anchors').set({ published_at: clock.now() }).where('id', '=', id).execute()
  }
}
