import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { seedCatalogue } from '../src/venues/index.ts'
import type { BenchDatabase, BenchEnvironment } from './bench-environment.ts'
import { type Comparison, summary } from './compare.ts'
import { SEEDS_OF_TWO, TWO_CHAINS } from './memory-chain.ts'
import { seedWallets } from './seed.ts'
import { HISTORY, SHORT_HISTORY, seedHistory } from './seed-history.ts'

/** The service's operations in each block. */
const IN_A_BLOCK = 100

/** Settles a block of each of two chains: by two workers that share them, against one that follows both. */
export async function workersBench(workplace: BenchEnvironment): Promise<Comparison[]> {
  const rounds = workplace.sized(12, 1)
  const inABlock = workplace.sized(IN_A_BLOCK, 3)
  const teams: Team[] = []
  try {
    const one = await startTeam(workplace, { inABlock, rounds, shares: [TWO_CHAINS] })
    teams.push(one)
    const two = await startTeam(workplace, { inABlock, rounds, shares: TWO_CHAINS.map((chain) => [chain]) })
    teams.push(two)
    const ratios: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const seconds = new Map<Team, number>()
      for (const team of round % 2 === 0 ? [one, two] : [two, one]) seconds.set(team, await team.settle())
      // The first round warms up.
      if (round > 0) ratios.push(seconds.get(one)! / seconds.get(two)!)
    }
    return [summary('Blocks of two chains, by two workers', 'one worker', ratios, 1.6)]
  } finally {
    for (const team of teams) await team.stop()
  }
}

interface Team {
  /** Plans, unmeasured, then settles a block of each chain; returns the milliseconds that settling took. */
  settle(): Promise<number>
  stop(): Promise<void>
}

interface TeamOptions {
  readonly inABlock: number
  readonly rounds: number
  /** The chains of each worker. */
  readonly shares: readonly (readonly string[])[]
}

/** Workers on a database of their own. */
async function startTeam(workplace: BenchEnvironment, { inABlock, rounds, shares }: TeamOptions): Promise<Team> {
  const database = await workplace.openDatabase()
  const { parts, organizationId, url } = database
  await seedCatalogue(parts.db, SEEDS_OF_TWO)
  for (const chain of TWO_CHAINS) await seedWallets(database, organizationId, inABlock * (rounds + 1), chain)
  await seedHistory(database, organizationId, workplace.sized(HISTORY, SHORT_HISTORY))
  const workers = await Promise.all(shares.map((chains) => startWorker([url, organizationId, inABlock, ...chains])))
  const all = (word: string) => Promise.all(workers.map((worker) => tell(worker, word)))
  const { seeded } = await parts.db
    .selectFrom('operations')
    .select(({ fn }) => fn.max<number>('id').as('seeded'))
    .executeTakeFirstOrThrow()
  let settled = 0
  return {
    async settle() {
      await all('prepare')
      const began = performance.now()
      await all('follow')
      const took = performance.now() - began
      settled += inABlock * TWO_CHAINS.length
      await requireCompleted(database, seeded, settled)
      return took
    },
    async stop() {
      for (const worker of workers) await stopWorker(worker)
      await database.close()
    },
  }
}

async function requireCompleted({ parts: { db } }: BenchDatabase, after: number, expected: number): Promise<void> {
  const { count } = await db
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'COMPLETED')
    .where('id', '>', after)
    .executeTakeFirstOrThrow()
  if (count !== expected) throw new Error(`${count} of ${expected} operations were confirmed`)
}

async function startWorker(words: readonly unknown[]): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('programs/chain-worker.ts', import.meta.url)), words.map(String))
  await answerOf(child)
  return child
}

async function tell(worker: ChildProcess, word: string): Promise<void> {
  const answer = answerOf(worker)
  worker.send(word)
  await answer
}

async function answerOf(worker: ChildProcess): Promise<void> {
  const ended = new AbortController()
  const { signal } = ended
  try {
    await Promise.race([
      once(worker, 'message', { signal }),
      once(worker, 'exit', { signal }).then(([code]) => {
        throw new Error(`a worker ended with ${code}`)
      }),
    ])
  } finally {
    ended.abort()
  }
}

async function stopWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null) return
  const ended = once(worker, 'exit')
  worker.kill()
  await ended
}
