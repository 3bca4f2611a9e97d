import {
  isDatabaseUnavailable,
  isRefusedSession,
  migrate,
  type OpenDatabase,
  openDatabase,
} from '../../database/index.ts'
import type { Log } from '../../kernel/index.ts'
import { attributeToSetting, sentenceOf } from './attribute-to-setting.ts'

/**
 * Opens the database of DATABASE_URL and migrates it. An error is one sentence that names the setting and says what to
 * do. `onOpen` runs before anything connects.
 */
export async function openServiceDatabase(
  options: { readonly url: string; readonly log: Log; readonly max: number },
  onOpen: (database: OpenDatabase) => void,
): Promise<OpenDatabase> {
  return await attributeToSetting('DATABASE_URL', async () => {
    const database = openDatabase(options)
    onOpen(database)
    try {
      await migrate(database.db, options.log)
    } catch (error) {
      throw withRemedy(error)
    }
    return database
  })
}

/** The error with what the operator can do about it. */
export function withRemedy(error: unknown): unknown {
  if (!isDatabaseUnavailable(error)) return error
  const sentence = sentenceOf(error)
  return new Error(`${sentence}; ${adviceFor(error, sentence)}`, { cause: error })
}

function adviceFor(error: unknown, sentence: string): string {
  if (isRefusedSession(error)) return 'check the user, its password, and the name of the database'
  return /does not accept writes|no server accepts writes|25006|read-only/.test(sentence)
    ? 'name the primary, or all servers separated by commas'
    : 'check that PostgreSQL runs and that this host can reach it'
}
