import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach } from 'vitest'
import { temporaryFolder } from './evm/test-chain.ts'

export interface TestCleanup {
  /** Runs after the test, last registered first. */
  defer(cleanup: () => void | Promise<void>): void
  /** A folder that is removed after the test. */
  temporaryFolder(): string
}

/** For tests of what a process leaves behind: each test removes what it made. */
export function useTestCleanup(): TestCleanup {
  const cleanups: (() => void | Promise<void>)[] = []
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
  const defer = (cleanup: () => void | Promise<void>) => void cleanups.push(cleanup)
  return {
    defer,
    temporaryFolder() {
      const { path, remove } = temporaryFolder()
      defer(remove)
      return path
    },
  }
}

/** The process of an embedded chain. */
export function pidOf(dataDir: string, blockchain: string): number {
  return Number(readFileSync(join(dataDir, 'chains', `${blockchain}.pid`), 'utf8'))
}

export function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`)
}

/**
 * Runs a script in another process, with this package as `devnet`, until it is killed. Resolves its first message;
 * `kill` ends it without warning.
 */
export function runInChildProcess(script: string): { readonly told: Promise<string>; kill(): void } {
  const text = `
    const devnet = await import(${JSON.stringify(new URL('index.ts', import.meta.url).href)})
    ${script}
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', text], { stdio: ['ignore', 'pipe', 'inherit'] })
  return {
    told: new Promise((resolve) => child.stdout.once('data', (said) => resolve(String(said)))),
    kill: () => void child.kill('SIGKILL'),
  }
}
