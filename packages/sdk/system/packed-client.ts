import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A folder outside this repository with the client installed as a user would: built, packed, installed from the archive. */
export interface FreshFolder {
  readonly path: string
  /** What `npm pack` made. */
  readonly archive: string
  /** Runs a program with Node and returns what it prints. */
  run(name: string, source: string, environment: Record<string, string>): Promise<string>
  /** The same for the demonstration of an example, with the examples copied into the folder. */
  runExample(name: string, environment: Record<string, string>): Promise<string>
  remove(): Promise<void>
}

export async function packIntoFreshFolder(): Promise<FreshFolder> {
  const path = await mkdtemp(join(tmpdir(), 'weir-sdk-'))
  const npm = (args: string[], cwd: string) => run('npm', args, { cwd })
  await run(process.execPath, [join(packageFolder, 'build.mjs')])
  const { stdout } = await npm(['pack', '--silent', '--pack-destination', path], packageFolder)
  const archive = join(path, stdout.trim())
  await writeFile(join(path, 'package.json'), JSON.stringify({ name: 'fresh', private: true, type: 'module' }))
  await npm(['install', '--offline', '--no-audit', '--no-fund', '--silent', archive], path)
  // What a user installs for signing.
  for (const name of ['viem', '@solana/kit']) {
    await mkdir(join(path, 'node_modules', dirname(name)), { recursive: true })
    await symlink(join(root, 'node_modules', name), join(path, 'node_modules', name))
  }
  const start = async (name: string, environment: Record<string, string>) =>
    (await run(process.execPath, [name], { cwd: path, env: { ...process.env, ...environment } })).stdout
  return {
    path,
    archive,
    async run(name, source, environment) {
      await writeFile(join(path, name), source)
      return start(name, environment)
    },
    async runExample(name, environment) {
      for (const folder of ['shared', name])
        await cp(join(root, 'examples', folder), join(path, folder), { recursive: true })
      return start(`${name}/demo.ts`, environment)
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/** The programs of the README by name. */
export async function readmePrograms(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(packageFolder, 'README.md'), 'utf8')
  return new Map([...text.matchAll(/```ts (\S+)\n([\s\S]*?)```/g)].map(([, name, source]) => [name!, source!]))
}
