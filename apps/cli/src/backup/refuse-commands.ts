import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { UsageError } from '../shell.ts'

/** What pg_dump writes at the beginning of a line. `\connect` is of --create; fresh-database.ts refuses it on a server. */
const WRITTEN = /^\\(?:(?:un)?restrict [A-Za-z0-9]+|connect (?:"?[\w.-]+"?|-reuse-previous=on "dbname='[^'`\\]*'"))$/
/**
 * What pg_dump writes in data, and bytes in SQL: as a command, none of them does harm.
 */
const ESCAPES = /\\[bfnrtvN\\.]|'\\x[0-9a-f]*'/g
/** psql reads the value of this variable, which the dump can cause, as if it stood in the file. */
const INSERTED = /:[{?'"]*LAST_ERROR_MESSAGE/
/** In other encodings, a byte of a backslash may be part of a character, and the next backslash one that is not escaped. */
const ENCODING = /client_encoding|\bset\s+names\b/i
const SAFE_ENCODING = /^SET client_encoding = '(?:UTF8|SQL_ASCII|LATIN1)';$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: everything that is not ASCII.
const PART_OF_CHARACTER = /[^\x00-\x7f]\\/
/** psql runs what is between backticks in an argument of a command that it knows. */
const BACKTICKS = /\\(?:bind|bind_named|f|flush|flushrequest|r|reset|restrict|t|timing)[ \t][^\\`]*`/

/**
 * Refuses a plain dump with a command of psql that pg_dump does not write: `\!` would run a program on this host. Whether a
 * line is data, only the server knows: a `copy` that fails makes psql read the data as commands. So each line is checked.
 * Throws a {@link UsageError} that names the line.
 */
export async function refuseCommands(path: string): Promise<void> {
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path) })) {
    number += 1
    if (isRefused(line))
      throw new UsageError(
        `${path}, line ${number}: this may be a command of psql, which could run programs here. Make the dump with pg_dump --format=custom`,
      )
  }
}

function isRefused(line: string): boolean {
  if (INSERTED.test(line) || (ENCODING.test(line) && !SAFE_ENCODING.test(line))) return true
  return line.includes('\\') && !WRITTEN.test(line) && isCommand(line)
}

function isCommand(line: string): boolean {
  return PART_OF_CHARACTER.test(line) || line.replace(ESCAPES, '').includes('\\') || BACKTICKS.test(line)
}
