import { expect } from 'vitest'
import type { BooksOf } from './expect-books.ts'
import { startProgram } from './index.ts'
import type { CrashingInput } from './programs/crashing-engine.ts'
import type { TreasuryInput } from './programs/crashing-treasury.ts'

/** Each point costs two processes: `npm run crash` visits all of them. */
const VISITS_ALL = process.env.CRASH_POINTS === 'all'
/** A process that dies again and again at the same place would never end. */
const STARTS_MAX = 6

/**
 * Runs a loop once whole, and then, each time anew, with its first process killed at one of its points. Returns the kinds
 * of points at which one died. `npm test` visits every send, and one commit of so many; or the first of each label that is named.
 */
export async function killAtEachPoint(
  runLoop: (dieAt: number | undefined) => Promise<string[]>,
  visits: number | readonly string[],
): Promise<string[]> {
  const whole = await runLoop(undefined)
  const labels = JSON.parse(whole.at(-1)?.replace('done ', '') ?? '[]') as string[]
  expect(labels.length).toBeGreaterThan(20)
  const isVisited = (label: string, index: number): boolean =>
    typeof visits === 'number'
      ? label.endsWith('send') || index % visits < 2
      : visits.includes(label) && labels.indexOf(label) === index
  const visited = labels.flatMap((label, index) => (VISITS_ALL || isVisited(label, index) ? [index + 1] : []))
  const died = new Set<string>()
  for (const dieAt of visited) {
    for (const line of await runLoop(dieAt)) if (line.startsWith('died at')) died.add(line)
  }
  return [...died].sort()
}

/** Starts the program until it comes to its end; the first one dies at that point. Returns what they said. */
export async function startUntilDone(
  input: Omit<CrashingInput, 'start' | 'dieAt'> | Omit<TreasuryInput, 'start' | 'dieAt'>,
  dieAt: number | undefined,
  program: 'crashing-engine' | 'crashing-treasury' = 'crashing-engine',
): Promise<string[]> {
  const said: string[] = []
  for (let start = 0; start < STARTS_MAX; start += 1) {
    const dies = start === 0 && dieAt !== undefined ? { dieAt } : {}
    const child = startProgram(program, [JSON.stringify({ ...input, start, ...dies })])
    const line = await child.line('')
    said.push(line)
    await child.kill()
    if (line.startsWith('done')) break
  }
  expect(said.at(-1), `killed at point ${dieAt}`).toMatch(/^done/)
  return said
}

/** That of all operations of the wallet one supply and one withdrawal were carried out; what the supply moved. */
export async function expectOneOfEach({ db }: BooksOf, walletId: number): Promise<bigint | null> {
  const operations = await db
    .selectFrom('operations')
    .select(['type', 'state', 'settled_amount'])
    .where('wallet_id', '=', walletId)
    .orderBy('id')
    .execute()
  const completed = operations.filter(({ state }) => state === 'COMPLETED')
  expect(completed.map(({ type }) => type)).toEqual(['SUPPLY', 'UNWIND'])
  return completed[0]!.settled_amount
}
