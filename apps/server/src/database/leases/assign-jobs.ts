/** A process that runs periodic work: the jobs that it can run, each with its group. */
export interface JobCandidate {
  readonly id: number
  readonly jobs: Readonly<Record<string, string>>
  /** Jobs that it backs off from, because they made no progress there. Null: its version does not back off. */
  readonly resting: readonly string[] | null
}

/**
 * Which process should run each job, by id. Every process computes the same from the same facts.
 *
 * The jobs of a group are divided evenly among the processes that can run them: no process has two more than another.
 * A job stays with its holder where that allows it, because each handover ends a round early. A job that rests in a
 * process goes to the others, unless it rests in all of them.
 */
export function assignJobs(
  candidates: readonly JobCandidate[],
  holders: ReadonlyMap<string, number>,
): Map<string, number> {
  const ordered = withoutRests(candidates).sort((one, other) => one.id - other.id)
  const assigned = new Map<string, number>()
  const total = new Map(ordered.map(({ id }) => [id, 0]))
  for (const jobs of jobsByGroup(ordered)) {
    const load = new Map(ordered.map(({ id }) => [id, 0]))
    const add = (id: number, count: number) => {
      load.set(id, load.get(id)! + count)
      total.set(id, total.get(id)! + count)
    }
    for (const job of jobs) {
      const holder = ordered.find(({ id, jobs: can }) => id === holders.get(job) && job in can)
      if (!holder) continue
      assigned.set(job, holder.id)
      add(holder.id, 1)
    }
    const lighter = (one: JobCandidate, other: JobCandidate) =>
      load.get(one.id)! - load.get(other.id)! || total.get(one.id)! - total.get(other.id)! || one.id - other.id
    for (const job of jobs) {
      if (assigned.has(job)) continue
      const [lightest] = ordered.filter(({ jobs: can }) => job in can).sort(lighter)
      assigned.set(job, lightest!.id)
      add(lightest!.id, 1)
    }
    for (let move = findMove(); move; move = findMove()) {
      add(assigned.get(move.job)!, -1)
      add(move.to, 1)
      assigned.set(move.job, move.to)
    }

    /** A job that a process with at least two fewer jobs of this group can run. */
    function findMove(): { readonly job: string; readonly to: number } | undefined {
      for (const to of [...ordered].sort(lighter)) {
        const loadOf = (name: string) => load.get(assigned.get(name)!)!
        const [job] = jobs.filter((name) => name in to.jobs).sort((one, other) => loadOf(other) - loadOf(one))
        if (job !== undefined && loadOf(job) >= load.get(to.id)! + 2) return { job, to: to.id }
      }
      return undefined
    }
  }
  return assigned
}

/**
 * The processes with the jobs that they may get. A process of an earlier version divides without rests: beside one, all
 * do, or a job could have no holder, as each thinks that it is the other's.
 */
function withoutRests(candidates: readonly JobCandidate[]): JobCandidate[] {
  if (candidates.some(({ resting }) => resting === null)) return [...candidates]
  const active = ({ jobs, resting }: JobCandidate) => Object.keys(jobs).filter((job) => !resting!.includes(job))
  const runElsewhere = new Set(candidates.flatMap(active))
  return candidates.map((one) => {
    const jobs = Object.entries(one.jobs).filter(([job]) => !one.resting!.includes(job) || !runElsewhere.has(job))
    return { ...one, jobs: Object.fromEntries(jobs) }
  })
}

/** The names of the jobs that any process can run, in order, for each group in order. */
function jobsByGroup(candidates: readonly JobCandidate[]): string[][] {
  const groupOf = new Map(candidates.flatMap(({ jobs }) => Object.entries(jobs)))
  const groups = [...new Set(groupOf.values())].sort()
  return groups.map((group) => [...groupOf.keys()].filter((job) => groupOf.get(job) === group).sort())
}
