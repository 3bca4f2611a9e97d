import { startAgent } from '../../src/agent.ts'
import { readConfig } from '../../src/config.ts'

/** The agent, killed without a word at the step that is named: nothing is flushed, nothing cleaned up. */
const step = process.argv[2]
const agent = await startAgent(readConfig(process.env), (happening) => {
  if (happening === step) process.kill(process.pid, 'SIGKILL')
})
await agent.ended
