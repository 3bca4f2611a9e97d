import { createHash } from 'node:crypto'

/** The end of one organization's audit log. */
export interface AnchoredHead {
  readonly organizationId: number
  readonly entries: number
  readonly hash: Buffer
}

/** The heads that moved since the anchor before, to be kept outside the database. */
export interface AuditAnchor {
  readonly id: number
  readonly at: Date
  /** Digest of the anchor before; zeros for the first. */
  readonly previous: Buffer
  /** By organization. */
  readonly heads: readonly AnchoredHead[]
}

/** The digest before the first anchor's. */
export const NO_ANCHOR = Buffer.alloc(32)

const FORMAT = 'weir-anchor-1'

/** How the line of every anchor begins. */
export const ANCHOR_START = `{"format":"${FORMAT}",`

/** What an anchor's digest covers: JSON in a fixed order. A time stamp covers the same bytes. */
export function anchorText({ id, at, previous, heads }: AuditAnchor): string {
  return JSON.stringify({
    format: FORMAT,
    id,
    at: at.toISOString(),
    previous: previous.toString('hex'),
    heads: heads.map(({ organizationId, entries, hash }) => [organizationId, entries, hash.toString('hex')]),
  })
}

export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** An anchor on one line: its text with the digest, and the time stamp token if there is one. */
export function anchorLine(text: string, digest: Buffer, token: Buffer | null): string {
  const stamped = token === null ? {} : { token: token.toString('base64') }
  return JSON.stringify({ ...JSON.parse(text), digest: digest.toString('hex'), ...stamped })
}
