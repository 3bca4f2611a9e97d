import { statfsSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseCluster } from './database-cluster.ts'
import { migrateUnderLoad } from './migrate-under-load.ts'
import { type Member, RESTART_MS } from './processes.ts'
import { stopChains, type WeirCluster } from './weir-cluster.ts'

export interface FaultParts {
  readonly database: DatabaseCluster
  readonly weir: WeirCluster
}

/** Something that happens to a deployment. */
export interface Fault {
  readonly name: string
  /** Undefined: it is part of every run. Otherwise the reason for which this machine leaves it out. */
  missing?(parts: FaultParts): string | undefined
  /**
   * For a part of which there is one: the time after which it comes back. Otherwise it comes back once the others go on
   * without it.
   */
  readonly backAfterMs?: number
  /** The primary dies at once, as the bar for writes means it. */
  readonly killsPrimary?: boolean
  /** Breaks something, and returns what an operator, or systemd, does about it. */
  strike(parts: FaultParts): Promise<() => Promise<void>>
}

type Choose = (parts: FaultParts) => Member | Promise<Member>

/** A process that died starts again, as systemd starts it. */
const kill = (name: string, choose: Choose, others: Pick<Fault, 'backAfterMs' | 'killsPrimary'> = {}): Fault => ({
  name: `${name} killed`,
  ...others,
  async strike(parts) {
    const member = await choose(parts)
    await member.end('SIGKILL')
    return async () => member.start()
  },
})

/** A process that is frozen thaws. */
const freeze = (name: string, choose: Choose, backAfterMs?: number): Fault => ({
  name: `${name} frozen`,
  ...(backAfterMs !== undefined && { backAfterMs }),
  async strike(parts) {
    const member = await choose(parts)
    member.signal('SIGSTOP')
    return async () => member.signal('SIGCONT')
  },
})

/** How long somebody needs to notice a process that is frozen, or a disk that is full. */
const FROZEN_MS = 20_000

const primaryOf = async ({ database }: FaultParts) => existing(await database.primary())
const standbyOf = async ({ database }: FaultParts) => existing(await database.standby())

/** Only the server: Patroni runs on, and starts it again or lets the standby take over. */
const POSTGRES_KILLED: Fault = {
  name: 'PostgreSQL of the primary killed',
  killsPrimary: true,
  async strike(parts) {
    ;(await primaryOf(parts)).signalServer('SIGKILL')
    return async () => {}
  },
}

/** The server runs on without anybody who would demote it, while the standby takes over. */
const PATRONI_KILLED: Fault = {
  name: 'Patroni of the primary killed',
  async strike(parts) {
    const primary = await primaryOf(parts)
    primary.signalAlone('SIGKILL')
    return async () => primary.start()
  },
}

/**
 * What stopped without a word is killed before it thaws, as a watchdog resets a host whose Patroni is silent. Without one, a
 * former primary could accept writes for a moment, and Patroni 3.0 gave its lock back to one (docs/high-availability.md).
 */
const freezeThenReset = (name: string, stop: (primary: Member) => void): Fault => ({
  name: `${name} frozen, then reset`,
  async strike(parts) {
    const primary = await primaryOf(parts)
    stop(primary)
    return async () => {
      await primary.end('SIGKILL')
      primary.start()
    }
  },
})

const SWITCHOVER: Fault = {
  name: 'switchover',
  async strike({ database }) {
    await database.switchOver()
    return async () => {}
  },
}

/**
 * The file system of the primary's write-ahead log has no space left, until somebody makes room. Patroni 3.0 starts such a
 * primary again and again, and does not replace it.
 */
const DISK_FULL: Fault = {
  name: 'disk of the primary full',
  backAfterMs: FROZEN_MS,
  missing: ({ database }) => (database.hasOwnDisks ? undefined : 'only root can mount a file system to fill'),
  async strike(parts) {
    const primary = await primaryOf(parts)
    const ballast = join(primary.disk, 'ballast')
    fill(ballast)
    // Uses up the segments that were laid out before; the last one ends the server.
    const switching = async () => {
      for (let segment = 0; segment < 100; segment += 1)
        await parts.database.administer(primary, 'select pg_switch_wal()')
    }
    await switching().catch(() => undefined)
    return async () => rm(ballast, { force: true })
  },
}

/** Every node is away, and comes back with all its blocks: a node that loses some is another chain. */
const CHAINS_RESTARTED: Fault = {
  name: 'the chains restarted',
  backAfterMs: RESTART_MS,
  async strike({ weir }) {
    await stopChains(weir.chains)
    return async () => weir.chains.start()
  },
}

const MIGRATION: Fault = {
  name: 'migration under load',
  async strike({ database }) {
    await migrateUnderLoad(database.url)
    return async () => {}
  },
}

export const FAULTS: readonly Fault[] = [
  kill('an API process', ({ weir }) => weir.apis[0]!),
  freeze('an API process', ({ weir }) => weir.apis[1]!),
  kill('a worker', ({ weir }) => weir.workers[0]!),
  freeze('a worker', ({ weir }) => weir.workers[1]!),
  POSTGRES_KILLED,
  // Patroni runs on, and waits for its server until it has lost its lock.
  freezeThenReset('PostgreSQL of the primary', (primary) => primary.signalServer('SIGSTOP')),
  PATRONI_KILLED,
  kill('the primary', primaryOf, { killsPrimary: true }),
  freezeThenReset('primary', (primary) => primary.signal('SIGSTOP')),
  kill('the standby', standbyOf),
  freeze('the standby', standbyOf),
  kill('the proxy', ({ database }) => database.proxy, { backAfterMs: RESTART_MS }),
  freeze('the proxy', ({ database }) => database.proxy, FROZEN_MS),
  kill('etcd', ({ database }) => database.etcd, { backAfterMs: RESTART_MS }),
  freeze('etcd', ({ database }) => database.etcd, FROZEN_MS),
  freeze('the chains', ({ weir }) => weir.chains, FROZEN_MS),
  CHAINS_RESTARTED,
  SWITCHOVER,
  DISK_FULL,
  MIGRATION,
]

function existing<T>(member: T | undefined): T {
  if (member === undefined) throw new Error('the database cluster is not healthy')
  return member
}

/** Writes until no block is free. */
function fill(path: string): void {
  const { bavail, bsize } = statfsSync(join(path, '..'))
  try {
    writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize)))
    for (;;) writeFileSync(path, Buffer.alloc(4_096), { flag: 'a' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
