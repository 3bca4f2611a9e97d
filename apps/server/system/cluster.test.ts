import { expect, test } from 'vitest'
import { FAULTS } from '../cluster/faults.ts'
import { findPrograms } from '../cluster/programs.ts'
import { report } from '../cluster/report.ts'
import { runCluster } from '../cluster/run-cluster.ts'

/** The short form of `npm run cluster`: one fault, one process of each role, one chain. CLUSTER=no leaves it out. */
const programs = process.env.CLUSTER === 'no' ? undefined : findPrograms()
if (!programs) {
  const why =
    process.env.CLUSTER === 'no' ? 'CLUSTER=no' : 'it needs patroni, etcd-server, haproxy and postgresql of Debian'
  process.stderr.write(`SKIPPED: the rehearsal of a deployment, ${why}\n`)
}

test.skipIf(!programs)(
  'when the primary is killed, its standby goes on without a loss, and nothing happens twice',
  async () => {
    const said: string[] = []
    const run = await runCluster({
      programs: programs!,
      faults: FAULTS.filter(({ name }) => name === 'the primary killed'),
      say: (line) => said.push(line),
      apis: 1,
      workers: 1,
      chains: ['base'],
      settlersPerChain: 1,
      watchMs: 1_000,
      keep: false,
    })
    const { lines, isSound } = report(run)
    expect(isSound, [...said, ...lines].join('\n')).toBe(true)
    expect(lines.at(-1)).toBe('cluster: 1 faults, 0 lost, 0 twice')
  },
  300_000,
)
