import { loadavg } from 'node:os'
import { FAULTS } from './faults.ts'
import type { Options } from './options.ts'
import { type ClusterPrograms, installPrograms } from './programs.ts'
import { report } from './report.ts'
import { runCluster } from './run-cluster.ts'

/** The exit code of a part that the machine cannot run. */
const SKIPPED = 77

/** Runs the faults that were asked for, and prints the table. Returns the exit code. */
export async function rehearse({ only, list, keep }: Options, say: (line: string) => void): Promise<number> {
  const faults = FAULTS.filter(({ name }) => only.length === 0 || only.some((word) => name.includes(word)))
  if (list) {
    for (const { name } of faults) say(name)
    return 0
  }
  if (faults.length === 0) throw new Error(`no fault is named ${only.join(' or ')}; --list shows them`)
  let programs: ClusterPrograms
  try {
    programs = await installPrograms(say)
  } catch (error) {
    say(`cluster: SKIPPED: ${error instanceof Error ? error.message : error}`)
    return SKIPPED
  }
  const run = await runCluster({
    programs,
    faults,
    say,
    apis: 2,
    workers: 2,
    chains: ['ethereum', 'polygon', 'base'],
    settlersPerChain: 2,
    watchMs: 15_000,
    keep,
  })
  const { lines, isSound, isInTime } = report(run)
  const [load] = loadavg()
  say(`load average of the last minute: ${load!.toFixed(1)}`)
  for (const line of lines) say(line)
  return isSound && isInTime ? 0 : 1
}
