import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import { type Exit, runningProcess, spawnWatched, type WatchedProcess } from '../watchdog.ts'
import { findAnvil } from './find-anvil.ts'
import { type Rpc, rpcClient } from './rpc.ts'

export type AnvilOptions = {
  readonly name: string
  readonly chainId: number
  /** Where state is kept: `<directory>/<name>.json`. Created when missing. */
  readonly directory: string
  readonly anvilPath?: string
  /** How often a running chain saves its state: the most that is lost when anvil itself is killed. */
  readonly saveEverySeconds: number
  /** How long a start may take, including the wait for a predecessor that is still saving its state. */
  readonly startTimeoutMs: number
  readonly log: (line: string) => void
}

export type Anvil = {
  readonly rpc: Rpc
  readonly exited: Promise<Exit>
  /** Ends the program after it has saved its state. */
  stop(): Promise<Exit>
}

const STOP_GRACE_MS = 15_000
const PORT_ATTEMPTS = 5

/**
 * How many blocks back balances and calls can be read. Each block costs a copy of the whole state; by
 * default anvil writes them to disk, a gigabyte per thousand blocks. Blocks, receipts and logs are all kept.
 */
const HISTORY_STATES_MAX = 128

/** Anvil's error message when it cannot read its state file. */
const DAMAGED_STATE = /--state|loading state|load state/i
const PORT_TAKEN = /address already in use/i

/**
 * Starts one anvil on a free port of 127.0.0.1 and waits until it responds. It has no accounts of its own,
 * mines each transaction immediately, and keeps state, nonces and receipts in its state file. A file that it
 * cannot read is quarantined, and the chain starts from scratch.
 * Throws when the program is missing, exits early, does not respond in time, or when another process serves
 * the same directory.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const program = findAnvil(options.anvilPath)
  mkdirSync(options.directory, { recursive: true })
  const deadline = performance.now() + options.startTimeoutMs
  await waitForPredecessor(options, deadline)
  for (let attempt = 1; ; attempt++) {
    const { url, watched } = await launch(program, options)
    const rpc = rpcClient(url)
    if (await answers(rpc, watched, deadline)) {
      return { rpc, exited: watched.exited, stop: () => watched.stop(STOP_GRACE_MS) }
    }
    const reason = watched.hasExited() ? 'exited at once' : `did not respond within ${options.startTimeoutMs} ms`
    await watched.stop(0)
    const words = watched.errorOutput()
    if (PORT_TAKEN.test(words) && attempt < PORT_ATTEMPTS) continue
    if (DAMAGED_STATE.test(words) && existsSync(statePath(options))) {
      quarantineState(options, 'is damaged')
      continue
    }
    throw new Error(`The ${options.name} chain ${reason}: ${words || 'no message'}`)
  }
}

/** Renames a chain's saved state and logs it: the next start makes a new chain. Deletes nothing. */
export function quarantineState(options: Pick<AnvilOptions, 'name' | 'directory' | 'log'>, why: string): void {
  const path = statePath(options)
  let number = 1
  const target = () => join(options.directory, `${options.name}.quarantined-${number}.json`)
  while (existsSync(target())) number++
  renameSync(path, target())
  options.log(
    `The saved state of the ${options.name} chain ${why}: moved to ${target()}. The chain starts from scratch.`,
  )
}

function statePath({ directory, name }: Pick<AnvilOptions, 'name' | 'directory'>): string {
  return join(directory, `${name}.json`)
}

function pidPath({ directory, name }: Pick<AnvilOptions, 'name' | 'directory'>): string {
  return join(directory, `${name}.pid`)
}

/** A predecessor whose parent just died may still be saving: reading now would read half a file. */
async function waitForPredecessor(options: AnvilOptions, deadline: number): Promise<void> {
  for (;;) {
    const pid = runningProcess(pidPath(options), statePath(options))
    if (pid === null) return
    if (performance.now() > deadline) {
      throw new Error(`${options.directory} is in use: process ${pid} serves the ${options.name} chain`)
    }
    await sleep(10)
  }
}

async function launch(program: string, options: AnvilOptions): Promise<{ url: string; watched: WatchedProcess }> {
  const port = await freePort()
  const args = [
    ['--host', '127.0.0.1'],
    ['--port', String(port)],
    ['--chain-id', String(options.chainId)],
    ['--accounts', '0'],
    ['--slots-in-an-epoch', '1'],
    ['--state', statePath(options)],
    ['--state-interval', String(options.saveEverySeconds)],
    ['--prune-history', String(HISTORY_STATES_MAX)],
    ['--no-cors'],
    ['--quiet'],
    ...(existsSync(statePath(options)) ? [] : [['--block-base-fee-per-gas', distinctBaseFee()]]),
  ]
  const watched = spawnWatched(program, args.flat(), pidPath(options))
  return { url: `http://127.0.0.1:${port}`, watched }
}

/**
 * One gwei plus a small random amount. It gives every new chain a genesis hash of its own: without it, the
 * genesis block depends only on the second of its creation.
 */
function distinctBaseFee(): string {
  return String(1_000_000_000 + randomInt(2 ** 28))
}

async function answers(rpc: Rpc, watched: WatchedProcess, deadline: number): Promise<boolean> {
  while (!watched.hasExited() && performance.now() < deadline) {
    try {
      await rpc.call('eth_chainId')
      // Another program may have taken the port in the meantime and be responding in its place.
      return !watched.hasExited()
    } catch {
      await sleep(10) // Not listening yet: normal right after the start.
    }
  }
  return false
}
