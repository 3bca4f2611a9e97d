import { ANCHOR_START, type AuditAnchor, anchorText, digestOf } from './anchor.ts'
import { verifyTimestamp } from './timestamp.ts'

/** An anchor as it was found outside the database. */
export interface ReadAnchor extends AuditAnchor {
  /** In hex. */
  readonly digest: string
  /** Where it was found: `line 3`. */
  readonly place: string
}

/** What a file of anchors holds. */
export interface AnchorLines {
  readonly anchors: readonly ReadAnchor[]
  /** The time of the last time stamp; `undefined` without one. */
  readonly stampedAt: Date | undefined
  /** Numbers of lines that a crash in the middle of a write left unfinished. */
  readonly unfinishedLines: readonly number[]
}

/**
 * Reads anchors, one on each line, and verifies their digests and their time stamps. An anchor that was sent twice is counted
 * once. An unfinished line proves nothing and is passed over. Whether anchors follow each other is for
 * {@link connectAnchors}. Throws with the line that is wrong.
 */
export async function readAnchorLines(text: string): Promise<AnchorLines> {
  const anchors = new Map<string, ReadAnchor>()
  let stampedAt: Date | undefined
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
    if (!anchors.has(digest)) anchors.set(digest, { ...anchor, digest, place: `line ${at + 1}` })
  }
  return { anchors: [...anchors.values()], stampedAt, unfinishedLines }
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
