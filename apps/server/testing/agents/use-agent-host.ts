import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import type { IdentityParts } from '../../src/identity/index.ts'
import { type AgentHost, createSandboxAgents, type SandboxAgents } from '../../src/sandbox/index.ts'

/** Starts like the agent and works for nobody: it says that it is ready, and where it runs. */
const STAND_IN = `
  import { writeFileSync } from 'node:fs'
  writeFileSync(process.env.AGENT_DIR + '/pid', String(process.pid))
  process.stdout.write('ready http://127.0.0.1:1\\n')
  setInterval(() => {}, 1_000)`

export interface TestAgentHost {
  readonly host: AgentHost
  /** Agents of a service on this host; stopped after the test. */
  agents(parts: IdentityParts): SandboxAgents
  /** Names of the agents' folders. */
  folders(): string[]
  /** The process of the agent in the only folder. */
  pid(): number
}

/** A new folder for each test, in which stand-ins run in place of custody agents. */
export function useAgentHost(): TestAgentHost {
  let folder: string
  const started: SandboxAgents[] = []
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-agents-'))
    writeFileSync(join(folder, 'stand-in.mjs'), STAND_IN)
  })
  afterEach(async () => {
    await Promise.all(started.splice(0).map((agents) => agents.stop()))
    rmSync(folder, { recursive: true, force: true })
  })
  const root = () => join(folder, 'agents')
  const test: TestAgentHost = {
    get host() {
      return { root: root(), program: join(folder, 'stand-in.mjs'), url: 'http://127.0.0.1:1' }
    },
    agents(parts) {
      const agents = createSandboxAgents(parts, test.host)
      started.push(agents)
      return agents
    },
    folders: () => readdirSync(root()),
    pid: () => Number(readFileSync(join(root(), test.folders()[0]!, 'pid'), 'utf8')),
  }
  return test
}
