import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignJobs, type JobCandidate } from './assign-jobs.ts'

const CHAINS = ['follow base', 'follow ethereum', 'follow polygon', 'follow solana']
const OTHERS = ['expire', 'fold', 'relay', 'sweep', 'withhold']
const all = Object.fromEntries([...CHAINS.map((job) => [job, 'chains']), ...OTHERS.map((job) => [job, 'other'])])

const worker = (id: number, jobs: Record<string, string> = all, resting: string[] | null = []): JobCandidate => ({
  id,
  jobs,
  resting,
})
const countsOf = (assigned: Map<string, number>, jobs: readonly string[], ids: readonly number[]) =>
  ids.map((id) => jobs.filter((job) => assigned.get(job) === id).length)

test('one process gets everything', () => {
  expect(countsOf(assignJobs([worker(7)], new Map()), Object.keys(all), [7])).toEqual([9])
})

test('each group is divided evenly when a process joins, and as few jobs as possible move', () => {
  const alone = assignJobs([worker(1)], new Map())
  const both = assignJobs([worker(1), worker(2)], alone)
  expect(countsOf(both, CHAINS, [1, 2])).toEqual([2, 2])
  expect(countsOf(both, OTHERS, [1, 2])).toEqual([3, 2])
  const third = assignJobs([worker(1), worker(2), worker(3)], both)
  expect(countsOf(third, CHAINS, [1, 2, 3]).sort()).toEqual([1, 1, 2])
  expect([...third].filter(([job, id]) => id !== both.get(job) && id !== 3)).toEqual([])
})

test('the jobs of a process that is gone go to the others, whose own jobs stay', () => {
  const three = assignJobs([worker(1), worker(2), worker(3)], new Map())
  const two = assignJobs([worker(1), worker(3)], three)
  expect([...three].filter(([job, id]) => id !== 2 && two.get(job) !== id)).toEqual([])
  expect(Math.abs(countsOf(two, CHAINS, [1, 3]).reduce((one, other) => one - other))).toBeLessThanOrEqual(1)
})

test('a job goes only to processes that can run it', () => {
  const without = worker(2, { 'follow base': 'chains' })
  const assigned = assignJobs([worker(1), without], new Map([['follow ethereum', 2]]))
  expect([...assigned].filter(([, id]) => id === 2)).toEqual([['follow base', 2]])
  expect(assigned.get('follow ethereum')).toBe(1)
})

test('a job that rests in a process goes to another one, and stays there when it stops resting', () => {
  const two = assignJobs([worker(1), worker(2)], new Map())
  const [job] = CHAINS.filter((name) => two.get(name) === 1)
  const moved = assignJobs([worker(1, all, [job!]), worker(2)], two)
  expect(moved.get(job!)).toBe(2)
  expect(countsOf(moved, CHAINS, [1, 2])).toEqual([2, 2])
  expect(assignJobs([worker(1), worker(2)], moved)).toEqual(moved)
})

test('a job that rests in every process that can run it stays where it is', () => {
  const held = assignJobs([worker(1), worker(2)], new Map())
  expect(assignJobs([worker(1, all, Object.keys(all)), worker(2, all, Object.keys(all))], held)).toEqual(held)
  const without = worker(2, { relay: 'other' })
  expect(assignJobs([worker(1, all, CHAINS), without], new Map()).get('follow base')).toBe(1)
})

test('beside a process of an earlier version nothing rests, as that one divides without rests', () => {
  const held = assignJobs([worker(1), worker(2)], new Map())
  expect(assignJobs([worker(1, all, Object.keys(all)), worker(2, all, null)], held)).toEqual(held)
})

test('for any processes, every job goes to one that can run it, evenly, and then stays there', () => {
  const names = [...CHAINS, ...OTHERS]
  const candidates = fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 9 }),
      can: fc.subarray(names, { minLength: 1 }),
      resting: fc.subarray(names),
    }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
  )
  const holders = fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 12 })))
  fc.assert(
    fc.property(candidates, holders, (made, held) => {
      const workers = made.map(({ id, can, resting }) =>
        worker(id, Object.fromEntries(can.map((job) => [job, all[job]!])), resting),
      )
      const assigned = assignJobs(workers, new Map(held))
      const offered = new Set(made.flatMap(({ can }) => can))
      expect(new Set(assigned.keys())).toEqual(offered)
      const active = (job: string) => made.filter(({ can, resting }) => can.includes(job) && !resting.includes(job))
      const ableTo = (job: string) =>
        (active(job).length > 0 ? active(job) : made.filter(({ can }) => can.includes(job))).map(({ id }) => id)
      for (const [job, id] of assigned) expect(ableTo(job)).toContain(id)
      for (const group of [CHAINS, OTHERS]) {
        for (const [job, id] of [...assigned].filter(([name]) => group.includes(name))) {
          const [load] = countsOf(assigned, group, [id])
          for (const other of countsOf(assigned, group, ableTo(job))) expect(load! - other).toBeLessThanOrEqual(1)
        }
      }
      expect(assignJobs([...workers].reverse(), assigned)).toEqual(assigned)
    }),
  )
})
