import { readdir, readFile } from 'node:fs/promises'

/** The processes of a sandbox: the service itself, those of its embedded database, and all others that it started. */
export const PARTS = ['service', 'PostgreSQL', 'chains'] as const
export type Part = (typeof PARTS)[number]

export type Usage = Readonly<Record<Part, PartUsage>>

interface PartUsage {
  /** PSS: memory that several processes share counts once, in equal parts. */
  readonly mebibytes: number
  /** Processor time since the processes began. */
  readonly seconds: number
}

/** Linux counts processor time in these, on every architecture that Node runs on. */
const TICKS_A_SECOND = 100

/** What a service and the processes below it hold and used. */
export async function readUsage(service: number): Promise<Usage> {
  const found = await readProcesses()
  const below = new Set([service])
  // A child's number may be lower than its parent's, so look until nothing is new.
  for (let size = 0; size < below.size; ) {
    size = below.size
    for (const { pid, parent } of found) if (below.has(parent)) below.add(pid)
  }
  const sums = { service: { ...NOTHING }, PostgreSQL: { ...NOTHING }, chains: { ...NOTHING } }
  for (const { pid, name, ticks } of found.filter((one) => below.has(one.pid))) {
    const sum = sums[pid === service ? 'service' : name === 'postgres' ? 'PostgreSQL' : 'chains']
    sum.mebibytes += await proportionalMebibytes(pid)
    sum.seconds += ticks / TICKS_A_SECOND
  }
  return sums
}

const NOTHING = { mebibytes: 0, seconds: 0 }

interface ProcessRow {
  readonly pid: number
  readonly name: string
  readonly parent: number
  readonly ticks: number
}

async function readProcesses(): Promise<ProcessRow[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const rows = await Promise.all(pids.map(async (pid) => rowOf(Number(pid), await textOf(`/proc/${pid}/stat`))))
  return rows.filter((row) => row !== undefined)
}

/** `PID (NAME) STATE PARENT ...`, where the name may have spaces and parentheses (proc_pid_stat(5)). */
function rowOf(pid: number, stat: string): ProcessRow | undefined {
  const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? []
  if (name === undefined) return undefined
  const fields = rest.split(' ')
  return { pid, name, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
}

async function proportionalMebibytes(pid: number): Promise<number> {
  const [, kibibytes = '0'] = /^Pss: +(\d+) kB$/m.exec(await textOf(`/proc/${pid}/smaps_rollup`)) ?? []
  return Number(kibibytes) / 1_024
}

/** Empty for a process that has just ended. */
const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
