import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The rules of the search, which the MCP server shares. */
export const SEARCH_RULES = '../../packages/mcp/src/search-rules.ts'

/** The SHA-256 of a page's Markdown. */
export const hashOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

/** The SHA-256 of everything that all pages depend on, except for the versions of libraries in the lock file. */
export function sharedHash(folder: string): string {
  const files = globSync(['build/*.ts', 'src/*', 'navigation.json', 'package.json', SEARCH_RULES], {
    cwd: folder,
  }).sort()
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(folder, file)))
      .update('\0')
  return hash.digest('hex')
}
