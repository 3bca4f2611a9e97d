import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openDatabase, startEmbeddedPostgres } from '../src/database/index.ts'
import { type IdentityParts, KeyUsage, register } from '../src/identity/index.ts'
import { ringOf, silentLog, systemClock, systemRandomSource } from '../src/kernel/index.ts'
import type { Parts } from '../src/operations/index.ts'
import { seedCatalogue } from '../src/venues/index.ts'
import { createDatabase } from '../testing/database/databases.ts'
import { FACTOR_SETTINGS } from '../testing/identity/factor-settings.ts'
import { createMemoryChain, type MemoryChain, SEEDS } from './memory-chain.ts'

/** An embedded PostgreSQL for one run of the benchmarks. */
export interface BenchEnvironment {
  /** `full` for a measurement, `tiny` for a run that only proves that the benchmark works. */
  sized<T>(full: T, tiny: T): T
  /** A separate database for one benchmark. */
  openDatabase(): Promise<BenchDatabase>
  stop(): Promise<void>
}

export interface BenchDatabase {
  readonly url: string
  readonly parts: Parts & IdentityParts
  readonly chain: MemoryChain
  readonly organizationId: number
  readonly strategyId: number
  close(): Promise<void>
}

const secrets = {
  jwt: ringOf('a-secret-of-the-benchmarks-for-access-tokens'),
  pepper: ringOf('a-pepper-of-the-benchmarks'),
}

/** The parts that verbs need, on an existing database. Also used by the server process. */
export function connectParts(
  url: string,
  ...chains: readonly MemoryChain[]
): { parts: Parts & IdentityParts; close(): Promise<void> } {
  const { db, close } = openDatabase({ url, log: silentLog })
  const usage = new KeyUsage({ db, clock: systemClock, log: silentLog })
  const parts = {
    db,
    clock: systemClock,
    log: silentLog,
    random: systemRandomSource,
    secrets,
    environment: 'sandbox' as const,
    usage,
    sessionLimits: { idleMs: 30 * 86_400_000, maxMs: 90 * 86_400_000 },
    assignedPasswords: 'lasting' as const,
    factors: FACTOR_SETTINGS,
    chains: new Map(chains.map((chain) => [chain.network.blockchain, chain])),
  }
  return {
    parts,
    async close() {
      await usage.flush()
      await close()
    },
  }
}

/** For a measurement: a separate PostgreSQL. */
export async function openBenchEnvironment(): Promise<BenchEnvironment> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-bench-'))
  // As root, PostgreSQL runs as another user, which must be able to traverse the folder.
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  return {
    sized: (full) => full,
    openDatabase: () => openBenchDatabase(server.url),
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** For a short run on a PostgreSQL that others share. */
export function tinyBenchEnvironment(serverUrl: string): BenchEnvironment {
  return { sized: (_full, tiny) => tiny, openDatabase: () => openBenchDatabase(serverUrl), stop: async () => {} }
}

async function openBenchDatabase(serverUrl: string): Promise<BenchDatabase> {
  const { url, drop } = await createDatabase(serverUrl, 'template1')
  const chain = createMemoryChain()
  const { parts, close } = connectParts(url, chain)
  await migrate(parts.db, silentLog)
  await seedCatalogue(parts.db, SEEDS)
  const { organization } = await register(parts, {
    email: 'bench@weir.example',
    password: 'a long enough password',
    organizationName: 'Bench',
  })
  const { id } = await parts.db.selectFrom('strategies').select('id').executeTakeFirstOrThrow()
  return {
    url,
    parts,
    chain,
    organizationId: organization.id,
    strategyId: id,
    async close() {
      await close()
      await drop()
    },
  }
}
