import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * The rooms of the house and the floor of each. A room imports from floors below it, through their index.ts, and from
 * nothing on its own floor or above, types included. Reading a room therefore means knowing all its dependencies.
 */
const FLOORS: Readonly<Record<string, number>> = {
  kernel: 1,
  config: 1,
  database: 2,
  chains: 2,
  tracing: 2,
  identity: 3,
  secrets: 3,
  venues: 3,
  ledger: 3,
  changes: 4,
  destinations: 4,
  wallets: 4,
  allocations: 5,
  breakers: 5,
  policy: 5,
  operations: 6,
  agents: 7,
  mail: 7,
  rebalancing: 7,
  ramp: 7,
  webhooks: 7,
  sandbox: 8,
  watch: 8,
  surfaces: 9,
  main: 10,
}
/** The settings are read in one place and handed on as arguments. */
const READERS_OF_CONFIG = new Set(['main'])
/** Inside `surfaces`: both surfaces stand on `http`, and neither knows the other. */
const SURFACES: Readonly<Record<string, readonly string[]>> = {
  http: [],
  core: ['http'],
  v1: ['http'],
  'ramp-inbound': ['http'],
  dashboard: ['http'],
}
/** Where the machine's clock may be read: at the edges, where time comes in. Everybody else takes a Clock. */
const MAY_READ_TIME = new Set(['surfaces', 'main'])

const root = dirname(fileURLToPath(import.meta.url))
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))
const code = files.filter(({ name }) => !name.endsWith('.test.ts'))

test('every file is in a room that has a floor', () => {
  const strangers = files.filter(({ name }) => !isHouseTest(name) && FLOORS[roomOf(name)] === undefined)
  expect(strangers.map(({ name }) => name)).toEqual([])
})

test('a room imports only from floors below it, and only through their index', () => {
  expect(code.flatMap(({ name, text }) => importsOf(name, text).flatMap((target) => judge(name, target)))).toEqual([])
})

test('the rule finds what it forbids', () => {
  expect(judge('ledger/post.ts', 'kernel/index.ts')).toEqual([])
  expect(judge('surfaces/v1/supply.ts', 'surfaces/http/index.ts')).toEqual([])
  expect(judge('database/pool.ts', 'database/embedded/postgres-home.ts')).toEqual([])
  expect(judge('main.ts', 'config.ts')).toEqual([])
  const wrong: [string, string][] = [
    ['ledger/post.ts', 'kernel/money.ts'],
    ['ledger/post.ts', 'wallets/index.ts'],
    ['ledger/post.ts', 'venues/index.ts'],
    ['kernel/log.ts', 'config.ts'],
    ['surfaces/http/server/build-server.ts', 'config.ts'],
    ['surfaces/v1/supply.ts', 'surfaces/core/index.ts'],
    ['surfaces/v1/supply.ts', 'surfaces/http/server/build-server.ts'],
    ['main.ts', 'operations/settlement/blocks/settle-block.ts'],
    ['ledger/post.ts', '../testing/index.ts'],
  ]
  for (const [from, to] of wrong) expect(judge(from, to), `${from} → ${to}`).toHaveLength(1)
  expect(
    importsOf('a/b.ts', "import type { X } from '../c/index.ts'\nawait import('./d.ts')\nexport * from '../e.ts'"),
  ).toEqual(['c/index.ts', 'a/d.ts', 'e.ts'])
})

test('CONTRIBUTING.md lists every room and its floor', () => {
  const text = readFileSync(join(root, '../../../CONTRIBUTING.md'), 'utf8')
  const told = [...text.matchAll(/^\| (\d+) \| `(\w+)` \|/gm)].map(([, floor, room]) => [room, Number(floor)])
  expect(Object.fromEntries(told)).toEqual(FLOORS)
  expect(new Set(files.filter(({ name }) => !isHouseTest(name)).map(({ name }) => roomOf(name)))).toEqual(
    new Set(Object.keys(FLOORS)),
  )
})

test('.github/CODEOWNERS names an owner of every room, and no path that is gone', () => {
  const repository = join(root, '../../..')
  const paths = [...readFileSync(join(repository, '.github/CODEOWNERS'), 'utf8').matchAll(/^(\/\S+) +@\S/gm)]
  const owned = paths.map(([, path = '']) => path)
  expect(owned).toEqual(expect.arrayContaining(Object.keys(FLOORS).map((room) => `/apps/server/src/${room}/`)))
  expect(owned.filter((path) => !existsSync(join(repository, path)))).toEqual([])
})

test('no room reads the machine’s clock behind the back of its caller', () => {
  const readers = code.filter(
    ({ name, text }) =>
      name !== 'kernel/clock.ts' && !MAY_READ_TIME.has(roomOf(name)) && /\bDate\.now\(|\bnew Date\(\s*\)/.test(text),
  )
  expect(readers.map(({ name }) => name)).toEqual([])
})

test('a verb commits through a Transact: it takes no callback to run in its transaction', () => {
  const callback = /\b(?:finish|beforeCommit)\??:|\?: \(tx: Tx\b/
  expect(code.filter(({ text }) => callback.test(text)).map(({ name }) => name)).toEqual([])
})

/** The tests of the house itself live in no room. */
function isHouseTest(name: string): boolean {
  return /^house(-[\w-]+)?\.test\.ts$/.test(name)
}

/** The first part of a path below src: `ledger/post.ts` → `ledger`, `main.ts` → `main`. */
function roomOf(name: string): string {
  return (name.split('/')[0] ?? '').replace(/(\.test)?\.ts$/, '')
}

/** The files of this project that a file imports, in any form and for types too, as paths below src. */
function importsOf(name: string, text: string): string[] {
  const pattern = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']*)'/g
  return [...text.matchAll(pattern)].map((match) => relative(root, resolve(root, dirname(name), match[1] ?? '')))
}

/** The rules that an import breaks, as sentences. */
function judge(name: string, target: string): string[] {
  const from = roomOf(name)
  const to = roomOf(target)
  const broken = (why: string) => [`${name} imports ${target}: ${why}`]
  if (FLOORS[to] === undefined) return broken('it is in no room')
  if (from === to) return from === 'surfaces' ? judgeSurfaces(name, target, broken) : []
  if (to === 'config') return READERS_OF_CONFIG.has(from) ? [] : broken('only main reads the settings')
  if (FLOORS[to]! >= (FLOORS[from] ?? 0)) return broken(`floor ${FLOORS[to]} is not below floor ${FLOORS[from]}`)
  const door = to === 'surfaces' ? /^surfaces\/[\w-]+\/index\.ts$/ : /^[^/]+\/index\.ts$/
  return door.test(target) ? [] : broken('a room is entered through its index.ts')
}

function judgeSurfaces(name: string, target: string, broken: (why: string) => string[]): string[] {
  const from = name.split('/')[1] ?? ''
  const to = target.split('/')[1] ?? ''
  if (from === to) return []
  if (!SURFACES[from]?.includes(to)) return broken('the surfaces stand on http and do not know each other')
  return target === `surfaces/${to}/index.ts` ? [] : broken('a surface is entered through its index.ts')
}
