// What pages say of the code in words, compared with the code.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { SECURITY_EVENT_SUCCESSES, SECURITY_EVENT_TYPES, type SecurityEventType } from '../../src/identity/index.ts'
import { everyRoute } from '../../testing/surfaces/every-route.ts'
import { pages, repository } from './documented-blocks.ts'

const read = (path: string) => readFileSync(join(repository, path), 'utf8')

/** `A`, `B` | … → A and B. */
const namesIn = (cell = '') => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)

test('each command for Docker Compose names its files, and they exist', () => {
  const lines = pages.flatMap((page) =>
    [...read(page).matchAll(/`?docker compose (?!`|config`)[^\n`]+/g)].map(([line]) => ({ page, line })),
  )
  expect(lines.length).toBeGreaterThan(8)
  const compose = readFilesOf('deploy/compose')
  const wrong = lines.filter(({ line }) => {
    const files = [...line.matchAll(/ -f (\S+)/g)].map(([, file = '']) => file)
    // A page that copies the files of a release names them without their folder.
    return files.length === 0 || !files.every((file) => existsSync(join(repository, file)) || compose.has(file))
  })
  expect(wrong).toEqual([])
})

test('the guarantees count the generated requests as the test sends them', () => {
  const [, sent] = /FUZZ_REQUESTS \?\? ([\d_]+)/.exec(read('apps/server/system/fuzzing/fuzz.test.ts')) ?? []
  expect(sent).toBe('6_000')
  expect(read('docs/guarantees.md')).toContain('[six thousand generated requests]')
})

test('the audit log names each action that no request has', async () => {
  const { app } = await everyRoute()
  await app.ready()
  const operations = new Set(
    Object.values(app.swagger().paths ?? {}).flatMap((path) =>
      Object.values(path as Record<string, { operationId?: string }>).map(({ operationId }) => operationId),
    ),
  )
  await app.close()
  const sources = globSync('apps/server/src/**/*.ts', { cwd: repository }).filter((path) => !path.endsWith('.test.ts'))
  // Of other rooms `action` is something else.
  const written = sources
    .map(read)
    .filter((text) => /\b(?:appendAuditEntry|audit)\(/.test(text))
    .flatMap((text) => [...text.matchAll(/\baction: '(\w+)'|\bentry\([^()]*?'(\w+)'/g)])
    .map(([, action, entered]) => action ?? entered ?? '')
  const [row = ''] = /^\| `action` \|.*$/m.exec(read('docs/audit-log.md')) ?? []
  const [, named] = row.split(', or ')
  expect(namesIn(named?.split(';')[0]).sort()).toEqual(
    [...new Set(written)].filter((action) => !operations.has(action)).sort(),
  )
}, 120_000)

test('the page of security events has each type with its outcome', () => {
  const rows = [...read('docs/security-events.md').matchAll(/^\| ([^|]+) \| (success|failure) \|/gm)]
  const documented = rows.flatMap(([, names, outcome]) => namesIn(names).map((name) => [name, outcome]))
  const types = Object.keys(SECURITY_EVENT_TYPES) as SecurityEventType[]
  expect(documented.sort()).toEqual(
    types.map((type) => [type, SECURITY_EVENT_SUCCESSES.includes(type) ? 'success' : 'failure']).sort(),
  )
})

function readFilesOf(folder: string): ReadonlySet<string> {
  return new Set(globSync(`${folder}/*`, { cwd: repository }).map((path) => basename(path)))
}
