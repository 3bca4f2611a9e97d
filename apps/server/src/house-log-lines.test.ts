import { globSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8')

const SOURCES = ['apps/server/src', 'apps/agent/src']
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
  .filter((path) => !path.endsWith('.test.ts'))
  .map(read)
  .join('\n')

/** Decisions say what was so when they were made. */
const PAGES = globSync('docs/**/*.md', { cwd: ROOT }).filter((path) => !path.includes('/decisions/'))

/** Commands, which look like lines of the log. */
const COMMANDS = /^(weir|npm|curl|journalctl|docker|kubectl|patronictl|promtool|select|update|alter) /

/** Quoted sentences of a page where it speaks of the log. */
function quotedLines(path: string): string[] {
  return read(path)
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|\n(?=\|)/)
    .filter((block) => path.endsWith('/logs.md') || /\b(logs?|logged)\b/.test(block))
    .flatMap((block) => [...block.replaceAll(/\s+/g, ' ').matchAll(/`([a-z][a-z]* [^`]+)`/g)])
    .map(([, quoted]) => quoted!)
    .filter((quoted) => /^[a-z][A-Za-z0-9' ,:;()-]+$/.test(quoted) && !COMMANDS.test(quoted))
}

test('the pages quote lines of the log as the service and the agent write them', () => {
  const quoted = PAGES.flatMap((path) => quotedLines(path).map((line) => ({ path: relative('docs', path), line })))
  expect(quoted.length).toBeGreaterThan(40)
  expect(quoted.filter(({ line }) => !SOURCES.includes(line))).toEqual([])
})
