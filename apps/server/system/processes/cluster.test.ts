import { expect, test } from 'vitest'
import { FAULTS } from '../../cluster/faults.ts'
import { type ClusterPrograms, installPrograms } from '../../cluster/programs.ts'
import { report } from '../../cluster/report.ts'
import { runCluster } from '../../cluster/run-cluster.ts'

/**
 * The short form of `npm run cluster`: one fault, one process of each role, one chain. It installs Debian's packages as the
 * command does. CLUSTER=no leaves it out.
 */
test('when the primary is killed, its standby goes on without a loss, and nothing happens twice', {
  // As long as apt may wait for another one, and the rehearsal after it.
  timeout: 600_000,
}, async ({ skip }) => {
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const programs = await findOrInstall(say).catch((error: Error) => {
    process.stderr.write(`SKIPPED: the rehearsal of a deployment: ${error.message}\n`)
    return skip(error.message)
  })
  const run = await runCluster({
    programs,
    faults: FAULTS.filter(({ name }) => name === 'the primary killed'),
    say,
    apis: 1,
    workers: 1,
    chains: ['base'],
    settlersPerChain: 1,
    watchMs: 1_000,
    keep: false,
  })
  const { lines, isSound } = report(run)
  // Whether it was in time says nothing here: other tests keep the machine busy.
  expect(isSound, [...said, ...lines].join('\n')).toBe(true)
  expect(lines.at(-1)).toBe('cluster: 1 faults, 0 lost, 0 twice')
})

/** Rejects with the reason for which there are none. */
async function findOrInstall(say: (line: string) => void): Promise<ClusterPrograms> {
  if (process.env.CLUSTER === 'no') throw new Error('CLUSTER=no')
  return await installPrograms(say)
}
