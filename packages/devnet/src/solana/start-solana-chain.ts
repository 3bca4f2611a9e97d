import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import type { StrategyState, StrategyStateChange } from '../strategy-state.ts'
import { type Exit, runningProcess, spawnWatched, type WatchedProcess } from '../watchdog.ts'
import type { BlockTime, Control } from './control.ts'
import { type ControlClient, controlClient } from './control-client.ts'
import { layoutFromJson, type SolanaDeployment } from './deployment.ts'
import type { FaultOrder, SolanaFault, TransactionFault } from './faults.ts'
import type { ServeOptions } from './serve-options.ts'
import { changeToJson, stateOf } from './state-answer.ts'

export type SolanaChainOptions = {
  /** The service's data folder; chains use `<dataDir>/chains`. */
  readonly dataDir: string
  /** Seconds between two blocks while idle; 0: none. Default 2. */
  readonly heartbeatSeconds?: number
  /** Milliseconds between two blocks while a transaction waits or has just landed. Default 400. */
  readonly slotMs?: number
  /** How much history is kept. Default 50,000 blocks and 200,000 transactions. */
  readonly keepBlocks?: number
  readonly keepTransactions?: number
  /** Default 20,000. */
  readonly startTimeoutMs?: number
  readonly log?: (line: string) => void
  /** Called once if the chain's process exits without stop(). */
  readonly onExit?: (blockchain: 'solana', exit: Exit) => void
}

export type SolanaChain = {
  readonly blockchain: 'solana'
  readonly url: string
  /** True when this start found no saved chain (or none that it could use). */
  readonly isNew: boolean
  readonly deployment: SolanaDeployment
  /** Moves time forward by whole seconds and makes a block. */
  increaseTime(seconds: number): Promise<BlockTime>
  /** Makes a block at this time (Unix seconds); the clock continues from there. Throws when it is in the past. */
  setTime(time: number): Promise<BlockTime>
  /** Makes blocks immediately, the first after `skipSlots` empty slots. */
  mine(blocks: number, skipSlots?: number): Promise<BlockTime>
  /** Stops automatic blocks; sent transactions wait. Pauses nest: each needs its own resume. */
  pauseBlocks(): Promise<void>
  resumeBlocks(): Promise<void>
  setFault(order: FaultOrder): Promise<void>
  /** Applies the fault to the transaction with this signature when it arrives. */
  injectFault(signature: string, fault: TransactionFault): Promise<void>
  faultsLeft(fault: SolanaFault): Promise<number>
  /** Puts a share vault into another state, for everyone, and returns it. Throws StateNotSupported and VenueRefused. */
  setStrategyState(key: string, change: StrategyStateChange): Promise<StrategyState>
  /** Throws StateNotSupported. */
  strategyState(key: string): Promise<StrategyState>
  /** Saves the state and ends the process. A second call waits for the first. */
  stop(): Promise<void>
}

const STOP_GRACE_MS = 15_000
const PORT_ATTEMPTS = 5
const PORT_TAKEN = /EADDRINUSE/

/**
 * Starts the embedded Solana chain in a process of its own: tokens and share vaults on LiteSVM behind JSON-RPC. A
 * saved chain resumes where it stopped; an unusable one is quarantined and replaced (see `isNew`).
 * Throws when it does not respond in time, exits early, or when another process serves the same folder.
 */
export async function startSolanaChain(options: SolanaChainOptions): Promise<SolanaChain> {
  const { watched, control, url, status } = await launch(options)
  for (const note of status.notes) options.log?.(note)

  let stopping: Promise<void> | null = null
  void watched.exited.then((exit) => {
    if (stopping === null) options.onExit?.('solana', exit)
  })

  return {
    blockchain: 'solana',
    url,
    isNew: status.isNew,
    deployment: { ...layoutFromJson(status.layout), url, genesisHash: status.genesisHash },
    increaseTime: (seconds) => control.call('increaseTime', seconds),
    setTime: (time) => control.call('setTime', time),
    mine: (blocks, skipSlots = 0) => control.call('mine', blocks, skipSlots),
    pauseBlocks: () => done(control.call('pause')),
    resumeBlocks: () => done(control.call('resume')),
    setFault: (order) => done(control.call('setFault', order)),
    injectFault: (signature, fault) => done(control.call('injectFault', signature, fault)),
    faultsLeft: (fault) => control.call('faultsLeft', fault),
    setStrategyState: async (key, change) => stateOf(await control.call('setStrategyState', key, changeToJson(change))),
    strategyState: async (key) => stateOf(await control.call('strategyState', key)),
    stop() {
      stopping ??= done(watched.stop(STOP_GRACE_MS))
      return stopping
    },
  }
}

type Launched = {
  readonly watched: WatchedProcess
  readonly control: ControlClient
  readonly url: string
  readonly status: ReturnType<Control['status']>
}

async function launch(options: SolanaChainOptions): Promise<Launched> {
  const directory = resolve(options.dataDir, 'chains')
  const statePath = join(directory, 'solana.db')
  const pidPath = join(directory, 'solana.pid')
  const timeoutMs = options.startTimeoutMs ?? 20_000
  mkdirSync(directory, { recursive: true })
  const deadline = performance.now() + timeoutMs
  await waitForPredecessor(pidPath, statePath, deadline)
  for (let attempt = 1; ; attempt++) {
    const secret = randomBytes(32).toString('hex')
    const port = await freePort()
    const program = [join(import.meta.dirname, 'serve.ts'), statePath, JSON.stringify(serveOptions(options, port))]
    const watched = spawnWatched(process.execPath, program, pidPath, { WEIR_CHAIN_SECRET: secret })
    const url = `http://127.0.0.1:${port}`
    const control = controlClient(url, secret)
    const status = await statusOf(control, watched, deadline)
    if (status !== null) return { watched, control, url, status }
    const reason = watched.hasExited() ? 'exited at once' : `did not respond within ${timeoutMs} ms`
    await watched.stop(0)
    const words = watched.errorOutput()
    if (PORT_TAKEN.test(words) && attempt < PORT_ATTEMPTS) continue
    throw new Error(`The solana chain ${reason}: ${words || 'no message'}`)
  }
}

function serveOptions(options: SolanaChainOptions, port: number): ServeOptions {
  return {
    port,
    slotMs: options.slotMs ?? 400,
    heartbeatMs: (options.heartbeatSeconds ?? 2) * 1_000,
    keep: { blocks: options.keepBlocks ?? 50_000, transactions: options.keepTransactions ?? 200_000 },
  }
}

/** A predecessor whose parent just died may still be writing its last block. */
async function waitForPredecessor(pidPath: string, statePath: string, deadline: number): Promise<void> {
  for (;;) {
    const pid = runningProcess(pidPath, statePath)
    if (pid === null) return
    if (performance.now() > deadline) throw new Error(`${statePath} is in use: process ${pid} serves the solana chain`)
    await sleep(10)
  }
}

/** Null when the process exited or time is up. The secret proves that our own process responds. */
async function statusOf(control: ControlClient, watched: WatchedProcess, deadline: number) {
  while (!watched.hasExited() && performance.now() < deadline) {
    try {
      return await control.call('status')
    } catch {
      await sleep(10) // Not listening yet: normal right after the start.
    }
  }
  return null
}

async function done(work: Promise<unknown>): Promise<void> {
  await work
}
