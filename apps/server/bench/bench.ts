import { cpus, loadavg } from 'node:os'
import { handleHelpFlag } from '../src/main/commands/handle-help-flag.ts'
import { BENCHES } from './benches.ts'
import type { Comparison } from './compare.ts'

/** `npm run bench` measures everything, `npm run bench -- NAME ...` the named ones. Exits with 2 on a missed target. */
handleHelpFlag(`npm run bench                 measures everything against bare baselines, on a database of its own
npm run bench -- NAME ...     measures only these: ${Object.keys(BENCHES).join(', ')}

Exits with 2 if a target is missed. docs/benchmarks.md describes each part and its baseline.`)
const names = process.argv.slice(2)
const unknown = names.filter((name) => !(name in BENCHES))
if (unknown.length > 0) {
  console.error(`there is no benchmark ${unknown.join(', ')}; there are ${Object.keys(BENCHES).join(', ')}`)
  process.exit(1)
}
// Loaded only now: the help and a refusal get their response at once.
const { openBenchEnvironment } = await import('./bench-environment.ts')
const { table } = await import('./compare.ts')
const load = () => loadavg()[0]!.toFixed(1)
const workplace = await openBenchEnvironment()
/** Removes the database on an interrupt; servers end with this process. */
const interrupted = async () => {
  await workplace.stop()
  process.exit(130)
}
process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
try {
  const comparisons: Comparison[] = []
  const loads = [load()]
  for (const name of names.length > 0 ? names : Object.keys(BENCHES)) {
    console.error(`measuring ${name}`)
    comparisons.push(...(await BENCHES[name]!(workplace)))
    loads.push(load())
  }
  console.log(table(comparisons))
  const machine = `${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}`
  console.log(`\n${machine}; load average from before the first to after the last: ${loads.join(', ')}`)
  process.exitCode = comparisons.every(({ median, target = 0 }) => median >= target) ? 0 : 2
} finally {
  await workplace.stop()
}
