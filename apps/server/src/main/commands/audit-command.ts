import { readFile } from 'node:fs/promises'
import type { AnchorLines, AuditCheckpoint, AuditVerification, ConnectedAnchors } from '../../identity/index.ts'

/**
 * Verifies the audit log of every organization, prints a line for each, and returns whether all are intact and record
 * every decision on operations and change requests. Reads only, in the database of DATABASE_URL or under DATA_DIR, even
 * while the service runs. The arguments are entries whose hash was recorded earlier, as this command prints them:
 * `1:17:9f86d081...`, and files of anchors, which are taken together: `--anchors PATH`. With such files, each line says how
 * many entries no anchor protects, and anchors that are missing or that the database lost are named. Throws for a file
 * that was changed.
 */
export async function verifyAudit(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<boolean> {
  const { paths, entries } = splitArguments(args)
  const pins = entries.map(pinOf)
  // Loaded only now: a wrong argument gets its response at once.
  const { connectAnchors, storedAnchors, verifyAuditLogs } = await import('../../identity/index.ts')
  const { findUnloggedDecisions } = await import('./find-unlogged-decisions.ts')
  const { withDatabase } = await import('./with-database.ts')
  const files: AnchorLines[] = []
  for (const path of paths) files.push(await readAnchors(path, say))
  return await withDatabase(env, async (db) => {
    const anchors = paths.length === 0 ? undefined : await connectAnchors(files, storedAnchors(db))
    let isWhole = anchors === undefined || reportAnchors(anchors, say)
    const anchored = new Map<number, number>()
    for (const { organizationId, entryId } of anchors?.checkpoints ?? [])
      anchored.set(organizationId, Math.max(entryId, anchored.get(organizationId) ?? 0))
    pins.push(...(anchors?.checkpoints ?? []))
    for await (const verdict of verifyAuditLogs(db, pins)) {
      const last = anchors === undefined ? undefined : (anchored.get(verdict.organizationId) ?? 0)
      say(`${sentenceOf(verdict)}${unprotected(verdict, last)}`)
      if (verdict.broken !== undefined) isWhole = false
      for (const { objectType, objectId, userId, action } of await findUnloggedDecisions(db, verdict.organizationId)) {
        say(
          `organization ${verdict.organizationId}: user ${userId} decided on ${objectType} ${objectId}, but no entry records ${action}`,
        )
        isWhole = false
      }
    }
    return isWhole
  })
}

function sentenceOf({ organizationId, entries, hash, broken }: AuditVerification): string {
  if (broken !== undefined) {
    const whole = entries === 1 ? '1 entry before it is intact' : `${entries} entries before it are intact`
    return `organization ${organizationId}: broken, ${broken}; ${whole}`
  }
  const head = entries === 0 ? '' : `, head ${organizationId}:${entries}:${hash}`
  return `organization ${organizationId}: ${entries} entries, chain whole${head}`
}

/** How many entries are later than the last one that an anchor names. */
function unprotected({ entries, broken }: AuditVerification, lastAnchored: number | undefined): string {
  if (lastAnchored === undefined || broken !== undefined) return ''
  const after = entries - lastAnchored
  return after === 0 ? ', all anchored' : `, ${after} not anchored`
}

function pinOf(text: string): AuditCheckpoint {
  const match = /^(\d{1,15}):(\d{1,15}):([0-9a-f]{64})$/i.exec(text)
  if (!match) throw new Error(`${text} is not ORGANIZATION:ENTRY:HASH, as this command prints the head of a log`)
  return { organizationId: Number(match[1]), entryId: Number(match[2]), hash: String(match[3]) }
}

/** `--anchors PATH` or `--anchors=PATH`, any number of times, and entries. */
function splitArguments(args: readonly string[]): { readonly paths: string[]; readonly entries: string[] } {
  const paths: string[] = []
  const entries: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at]!
    if (arg.startsWith('--anchors=')) paths.push(arg.slice('--anchors='.length))
    else if (arg === '--anchors') {
      at += 1
      paths.push(args[at] ?? '')
    } else entries.push(arg)
  }
  return { paths, entries }
}

/** The anchors of one file, each of them with the path in its place. */
async function readAnchors(path: string, say: (line: string) => void): Promise<AnchorLines> {
  if (path === '') throw new Error('--anchors needs the path of a file of anchors')
  const text = await readFile(path, 'utf8')
  const { readAnchorLines } = await import('../../identity/index.ts')
  const lines = await readAnchorLines(text).catch((error: Error) => {
    throw new Error(`${path}, ${error.message}`)
  })
  const { anchors, stampedAt, unfinishedLines } = lines
  const stamp = stampedAt === undefined ? '' : `, the last timestamp is from ${stampedAt.toISOString()}`
  say(`${path}: ${anchors.length} anchors, unchanged${stamp}`)
  for (const line of unfinishedLines)
    say(`${path}, line ${line}: unfinished, probably by a crash during the write; it proves nothing and was skipped`)
  return { ...lines, anchors: anchors.map((anchor) => ({ ...anchor, place: `${path}, ${anchor.place}` })) }
}

/** Returns whether nothing is missing, and the database never went back. */
function reportAnchors({ missing, lost }: ConnectedAnchors, say: (line: string) => void): boolean {
  for (const { after, before, stored } of missing) {
    const which = `anchors between ${after} and ${before} are in no file`
    say(stored ? `${which}; the database has them unchanged` : `broken: ${which}, and the database cannot prove them`)
  }
  for (const anchors of lost) {
    const places = anchors.map(({ id, place }) => `${id} (${place})`).join(', ')
    say(
      `broken: the database went back to before anchor ${anchors[0]?.id}; what these anchored was lost or removed: ${places}`,
    )
  }
  return lost.length === 0 && missing.every(({ stored }) => stored)
}
