import { startAgent } from '../../src/agent.ts'
import { readConfig } from '../../src/config.ts'

/**
 * An agent that sends itself a signal the first time it reports a step. SIGKILL ends it without flushing or cleaning
 * up; SIGSTOP suspends it, as on a suspended machine, until it is continued.
 */
const [step, signal] = process.argv.slice(2)
let happened = false
const agent = await startAgent(readConfig(process.env), (reached) => {
  if (happened || reached !== step) return
  happened = true
  process.kill(process.pid, signal)
})
process.on('SIGTERM', agent.stop)
await agent.ended
process.exit(0)
