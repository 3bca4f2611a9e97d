import type { AuditCheckpoint } from '../audit/verify-audit-log.ts'
import { ANCHOR_START, type AuditAnchor, anchorText, digestOf, NO_ANCHOR } from './anchor.ts'
import { verifyTimestamp } from './timestamp.ts'

/** What a file of anchors proves. */
export interface AnchorFile {
  readonly anchors: number
  /** The time of the last time stamp; `undefined` without one. */
  readonly stampedAt: Date | undefined
  /** Entries that the audit logs must still contain. */
  readonly checkpoints: readonly AuditCheckpoint[]
  /** Numbers of lines that a crash in the middle of a write left unfinished. */
  readonly unfinishedLines: readonly number[]
}

/**
 * Reads anchors, one on each line, and verifies their digests, their order and their time stamps. An anchor that was
 * sent twice counts once. An unfinished line proves nothing and is passed over: the anchors around it must still follow
 * each other. Throws with the line that is wrong.
 */
export async function readAnchorLines(text: string): Promise<AnchorFile> {
  const checkpoints: AuditCheckpoint[] = []
  let last: { readonly id: number; readonly digest: string } = { id: 0, digest: NO_ANCHOR.toString('hex') }
  let stampedAt: Date | undefined
  let anchors = 0
  const unfinishedLines: number[] = []
  for (const [at, written] of text.split('\n').entries()) {
    if (written.trim() === '') continue
    const line = finishedPart(written)
    if (line !== written) unfinishedLines.push(at + 1)
    if (line === '') continue
    const { anchor, digest, token } = parseLine(line, at + 1)
    const covered = anchorText(anchor)
    if (digestOf(covered).toString('hex') !== digest) throw new Error(`line ${at + 1}: the anchor was changed`)
    if (token !== undefined) {
      stampedAt = await verifyTimestamp(Buffer.from(token, 'base64'), covered).catch((error: Error) => {
        throw new Error(`line ${at + 1}: ${error.message}`)
      })
    }
    if (anchor.id === last.id && digest === last.digest) continue
    // A file may begin with a later anchor: where it was cut, checkpoints are missing but none is wrong.
    const follows = anchors === 0 || (anchor.id === last.id + 1 && anchor.previous.toString('hex') === last.digest)
    if (!follows) throw new Error(`line ${at + 1}: anchor ${anchor.id} does not follow anchor ${last.id}`)
    last = { id: anchor.id, digest }
    anchors += 1
    for (const { organizationId, entries, hash } of anchor.heads)
      checkpoints.push({ organizationId, entryId: entries, hash: hash.toString('hex') })
  }
  return { anchors, stampedAt, checkpoints, unfinishedLines }
}

/**
 * A line without the beginning of an anchor that was never finished. Nothing is left of one that ends there; versions
 * before this one wrote the next anchor on the same line. A disk that lost power may end it with zeros.
 */
function finishedPart(line: string): string {
  const next = line.lastIndexOf(ANCHOR_START)
  if (next > 0 && isBeginning(line.slice(0, next))) return finishedPart(line.slice(next))
  return isBeginning(line) ? '' : line
}

/** Whether a text is the beginning of an anchor, cut off before its end. */
function isBeginning(text: string): boolean {
  const begun = text.replace(/\0+$/, '')
  if (begun.length < ANCHOR_START.length) return ANCHOR_START.startsWith(begun)
  return begun.startsWith(ANCHOR_START) && !begun.endsWith('}')
}

interface AnchorLine {
  readonly anchor: AuditAnchor
  readonly digest: string
  readonly token: string | undefined
}

function parseLine(line: string, number: number): AnchorLine {
  try {
    const { id, at, previous, heads, digest, token } = JSON.parse(line)
    const anchor = {
      id: Number(id),
      at: new Date(at),
      previous: Buffer.from(previous, 'hex'),
      heads: heads.map(([organizationId, entries, hash]: [number, number, string]) => ({
        organizationId,
        entries,
        hash: Buffer.from(hash, 'hex'),
      })),
    }
    // Throws for an invalid time.
    anchorText(anchor)
    return { anchor, digest: String(digest), token }
  } catch {
    throw new Error(`line ${number}: this is not an anchor`)
  }
}
