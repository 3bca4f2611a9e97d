import { type AuditCheckpoint, type AuditVerification, verifyAuditLogs } from '../identity/index.ts'
import { withDatabase } from './with-database.ts'

/**
 * Verifies the audit log of every organization, prints a line for each, and returns whether all are whole. Reads only,
 * in the database of DATABASE_URL or under DATA_DIR, also while the service runs. The arguments are entries whose hash
 * was recorded earlier, as this command prints them: `1:17:9f86d081...`.
 */
export async function verifyAudit(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<boolean> {
  const pins = args.map(pinOf)
  return await withDatabase(env, async (db) => {
    let isWhole = true
    for await (const verdict of verifyAuditLogs(db, pins)) {
      say(sentenceOf(verdict))
      if (verdict.broken !== undefined) isWhole = false
    }
    return isWhole
  })
}

function sentenceOf({ organizationId, entries, hash, broken }: AuditVerification): string {
  if (broken !== undefined)
    return `organization ${organizationId}: broken at ${broken} (${entries} hold together before)`
  const head = entries === 0 ? '' : `, head ${organizationId}:${entries}:${hash}`
  return `organization ${organizationId}: ${entries} entries, chain whole${head}`
}

function pinOf(text: string): AuditCheckpoint {
  const match = /^(\d{1,15}):(\d{1,15}):([0-9a-f]{64})$/i.exec(text)
  if (!match) throw new Error(`${text} is not ORGANIZATION:ENTRY:HASH, as this command prints the head of a log`)
  return { organizationId: Number(match[1]), entryId: Number(match[2]), hash: String(match[3]) }
}
