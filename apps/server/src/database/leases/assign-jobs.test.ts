import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignJobs, type JobCandidate } from './assign-jobs.ts'

const CHAINS = ['follow base', 'follow ethereum', 'follow polygon', 'follow solana']
const OTHERS = ['expire', 'fold', 'relay', 'sweep', 'withhold']
const all = Object.fromEntries([...CHAINS.map((job) => [job, 'chains']), ...OTHERS.map((job) => [job, 'other'])])

const worker = (id: number, jobs: Record<string, string> = all): JobCandidate => ({ id, jobs })
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

test('for any processes, every job goes to one that can run it, evenly, and then stays there', () => {
  const names = [...CHAINS, ...OTHERS]
  const candidates = fc.uniqueArray(
    fc.record({ id: fc.integer({ min: 1, max: 9 }), can: fc.subarray(names, { minLength: 1 }) }),
    { selector: ({ id }) => id, minLength: 1, maxLength: 5 },
  )
  const holders = fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 12 })))
  fc.assert(
    fc.property(candidates, holders, (made, held) => {
      const workers = made.map(({ id, can }) => worker(id, Object.fromEntries(can.map((job) => [job, all[job]!]))))
      const assigned = assignJobs(workers, new Map(held))
      const offered = new Set(made.flatMap(({ can }) => can))
      expect(new Set(assigned.keys())).toEqual(offered)
      for (const [job, id] of assigned) expect(made.find((one) => one.id === id)!.can).toContain(job)
      for (const group of [CHAINS, OTHERS]) {
        for (const [job, id] of [...assigned].filter(([name]) => group.includes(name))) {
          const [load] = countsOf(assigned, group, [id])
          const able = made.filter(({ can }) => can.includes(job)).map((one) => one.id)
          for (const other of countsOf(assigned, group, able)) expect(load! - other).toBeLessThanOrEqual(1)
        }
      }
      expect(assignJobs([...workers].reverse(), assigned)).toEqual(assigned)
    }),
  )
})
