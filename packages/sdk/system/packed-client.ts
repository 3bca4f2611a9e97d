import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { until } from '../../../apps/server/testing/until.ts'

const run = promisify(execFile)
const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const root = fileURLToPath(new URL('../../..', import.meta.url))

/** A folder outside this repository with the client installed by the commands of the README. */
export interface FreshFolder {
  readonly path: string
  /** What `npm pack` made. */
  readonly archive: string
  /** Runs a program with Node and returns what it prints. */
  run(name: string, source: string, environment: Record<string, string>): Promise<string>
  /** Starts a program that ends only when it is stopped, and waits until it prints `listening`. */
  serve(name: string, source: string, environment: Record<string, string>): Promise<RunningProgram>
  /** Runs the demonstration of an example, with the examples copied into the folder. */
  runExample(name: string, environment: Record<string, string>): Promise<string>
  remove(): Promise<void>
}

/** What a user installs beside the client, if the program signs or has pages. */
const PEERS = ['viem', '@solana/kit', '@tanstack/react-query', 'react']
/** And what a program needs that TypeScript checks. */
const TYPES = ['@types/node', '@types/react']

export interface RunningProgram {
  /** What it printed so far. */
  output(): string
  stop(): Promise<void>
}

export async function packIntoFreshFolder(): Promise<FreshFolder> {
  const path = await mkdtemp(join(tmpdir(), 'weir-sdk-'))
  await writeFile(join(path, 'package.json'), JSON.stringify({ name: 'fresh', private: true, type: 'module' }))
  const offline = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' }
  const env = { ...process.env, ...offline, CLONE: root }
  await run('bash', ['-euc', await readmeInstallation()], { cwd: path, env })
  const archive = join(path, (await readdir(path)).find((name) => name.endsWith('.tgz'))!)
  for (const name of [...PEERS, ...TYPES]) {
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
    async serve(name, source, environment) {
      await writeFile(join(path, name), source)
      const child = spawn(process.execPath, [name], {
        cwd: path,
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      await until(() => output.includes('listening') || child.exitCode !== null)
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
      return {
        output: () => output,
        async stop() {
          child.kill()
          await ended
        },
      }
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
  const programs = (await readme()).matchAll(/```tsx? (\S+)\n([\s\S]*?)```/g)
  return new Map([...programs].map(([, name, source]) => [name!, source!]))
}

/** The README's commands that install the client from a clone in `$CLONE`. */
async function readmeInstallation(): Promise<string> {
  return /```sh\n([\s\S]*?)```/.exec(await readme())![1]!
}

const readme = () => readFile(join(packageFolder, 'README.md'), 'utf8')
