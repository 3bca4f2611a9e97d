import { startAgent } from '../../src/agent.ts'
import { readConfig } from '../../src/config.ts'

/**
 * The agent, sent a signal by itself the first time that it tells of a step: SIGKILL ends it without a word, nothing
 * flushed and nothing cleaned up; SIGSTOP holds it, as a machine that is suspended, until somebody lets it go on.
 */
const [step, signal] = process.argv.slice(2)
let happened = false
const agent = await startAgent(readConfig(process.env), (happening) => {
  if (happened || happening !== step) return
  happened = true
  process.kill(process.pid, signal)
})
process.on('SIGTERM', agent.stop)
await agent.ended
process.exit(0)
