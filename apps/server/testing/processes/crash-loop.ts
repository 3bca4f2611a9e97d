import { expect } from 'vitest'
import { startProgram } from '../index.ts'
import type { LedgerFixture } from '../ledger/expect-ledger.ts'
import type { CrashingInput } from '../programs/crashing-engine.ts'
import type { TreasuryInput } from '../programs/crashing-treasury.ts'

/** Each point costs two processes: `npm run crash` visits all of them. */
const VISITS_ALL = process.env.CRASH_POINTS === 'all'
/** Bounds a process that keeps dying at the same point. */
const STARTS_MAX = 6

/**
 * Runs a loop once to its end, then again from scratch for each point, with its first process killed there. Returns the
 * kinds of points at which a process died. `npm test` visits every send and a sample of the commits, or the first point
 * of each named label.
 */
export async function killAtEachPoint(
  runLoop: (dieAt: number | string | undefined) => Promise<string[]>,
  visits: number | readonly string[],
): Promise<string[]> {
  const whole = await runLoop(undefined)
  const labels = JSON.parse(whole.at(-1)?.replace('done ', '') ?? '[]') as string[]
  expect(
    labels.some((label) => label.endsWith('after send')),
    'the loop sends',
  ).toBe(true)
  const numbers = labels.flatMap((label, index) => {
    const isSampled = typeof visits === 'number' && (label.endsWith('send') || index % visits < 2)
    return VISITS_ALL || isSampled ? [index + 1] : []
  })
  // A later loop passes other points on the way, such as readings that are fresh already: a label is still found.
  const visited = typeof visits === 'number' || VISITS_ALL ? numbers : visits
  const died = new Set<string>()
  for (const dieAt of visited) {
    for (const line of await runLoop(dieAt)) if (line.startsWith('died at')) died.add(line)
  }
  return [...died].sort()
}

/** Restarts the program until it finishes; its first process dies at that point. Returns the output of all. */
export async function startUntilDone(
  input: Omit<CrashingInput, 'start' | 'dieAt'> | Omit<TreasuryInput, 'start' | 'dieAt'>,
  dieAt: number | string | undefined,
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

/** Asserts that exactly one supply and one withdrawal of the wallet were completed; returns what the supply moved. */
export async function expectOneOfEach({ db }: LedgerFixture, walletId: number): Promise<bigint | null> {
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
