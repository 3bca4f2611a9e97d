import { type Database, isDatabaseUnavailable } from '../../database/index.ts'
import { authenticateKey, type IdentityParts } from '../../identity/index.ts'
import {
  assert,
  createOutageLogs,
  Failure,
  randomBase62,
  SANDBOX_AGENT_ERASURE_CHECK_MS,
  SANDBOX_AGENTS_MAX,
} from '../../kernel/index.ts'
import {
  type AgentFolder,
  type AgentRecord,
  readAgentFolders,
  readAllAgentFolders,
  readApiKey,
  removeAgentFolder,
  retireAgentFolder,
  writeAgentFolder,
} from './agent-folder.ts'
import { type AgentProcess, createAgentProcess, type SandboxAgentState } from './agent-process.ts'

/** What a process needs to run agents. */
export interface AgentHost {
  /** The folder of their folders. */
  readonly root: string
  /** The file of the agent's program. */
  readonly program: string
  /** Where a program on this machine reaches this service. */
  readonly url: string
}

/** An agent that the sandbox runs. */
export interface SandboxAgent extends Omit<AgentRecord, 'organizationId'> {
  readonly state: SandboxAgentState
  /** When the process that runs now was started; null if none does. */
  readonly startedAt: Date | null
  /** How often it was started again since the service started. */
  readonly restarts: number
}

/** A place for one more agent. */
export interface AgentPlace {
  /** Writes the agent's folder; again if the transaction around it runs again. */
  prepare(agent: AgentRecord, apiKey: string): SandboxAgent
  /** Starts the prepared agent. */
  take(): SandboxAgent
  /** Gives the place up, with everything that was prepared. */
  release(): void
}

/** The agents of this process. */
export interface SandboxAgents {
  /** Errors: CONFLICT when this process runs no agents, and at the limits of the organization and the service. */
  reserve(organizationId: number): AgentPlace
  /** Oldest first. */
  list(organizationId: number): SandboxAgent[]
  /** Error: NOT_FOUND. */
  require(organizationId: number, agentId: number): RunningAgent
  /** Starts the agents of an earlier run of the service, and from now on removes those of erased organizations. */
  resume(): void
  /** Removes the folders of erased organizations, of stopped agents too, and returns how many. */
  removeErased(): Promise<number>
  /** Stops the processes; the next start resumes them. */
  stop(): Promise<void>
}

/** One agent, to be stopped. */
export interface RunningAgent extends Pick<AgentProcess, 'start' | 'stop'> {
  /** Whether its API key works. */
  isAccepted(): Promise<boolean>
  /** Forgets the agent. Its folder stays, without its API key. */
  retire(): void
}

interface Kept {
  readonly organizationId: number
  readonly running?: { readonly folder: AgentFolder; readonly process: AgentProcess }
}

type SandboxAgentsParts = Pick<IdentityParts, 'db' | 'clock' | 'secrets' | 'environment' | 'usage' | 'random' | 'log'>

/** `host`: a sentence, where this process runs no agents, that says why. */
export function createSandboxAgents(parts: SandboxAgentsParts, host: AgentHost | string): SandboxAgents {
  const kept = new Set<Kept>()
  let isStopping = false
  let sweep: NodeJS.Timeout | undefined

  async function isAccepted(folder: AgentFolder): Promise<boolean> {
    const check = await authenticateKey(parts, readApiKey(folder), '127.0.0.1')
    const { id, organizationId } = folder.agent
    return (
      check.status === 'valid' && check.credential.keyId === id && check.credential.organizationId === organizationId
    )
  }

  function keep(at: AgentHost, folder: AgentFolder) {
    const running = { folder, process: createAgentProcess({ ...parts, ...at, isAccepted }, folder) }
    kept.add({ organizationId: folder.agent.organizationId, running })
    if (!isStopping) running.process.start()
    return running
  }

  function requirePlace(organizationId: number): AgentHost {
    if (typeof host === 'string') {
      throw new Failure('CONFLICT', { message: host, details: { reason: 'runs_no_agents' } })
    }
    const own = [...kept].filter((one) => one.organizationId === organizationId).length
    const { organization, service } = SANDBOX_AGENTS_MAX
    if (own < organization && kept.size < service) return host
    const [of, limit] = own < organization ? ['service', service] : ['organization', organization]
    throw new Failure('CONFLICT', {
      message: `The ${of} already has ${limit} sandbox agents, the maximum. Stop one first.`,
      details: { reason: 'too_many_agents', of, limit },
    })
  }

  async function removeErased(): Promise<number> {
    const folders = typeof host === 'string' ? [] : readAllAgentFolders(host.root, parts.log)
    const erased = new Set(await erasedOrganizations(parts.db, folders))
    const gone = folders.filter(({ agent }) => erased.has(agent.organizationId))
    for (const folder of gone) {
      const one = [...kept].find(({ running }) => running?.folder.path === folder.path)
      await one?.running?.process.stop()
      if (one) kept.delete(one)
      removeAgentFolder(folder)
      parts.log.info(
        { sandboxAgent: folder.agent.id },
        'deleted the folder of a sandbox agent, whose organization was deleted',
      )
    }
    return gone.length
  }

  /** By state, not by the erasure itself: that may run in another process, and a process may die before the removal. */
  function keepRemoving(): void {
    const failures = createOutageLogs(parts.log, {
      away: 'failed to delete folders of sandbox agents',
      back: 'folders of sandbox agents can be deleted again',
      level: 'error',
    })
    const remove = () =>
      removeErased().then(
        () => failures.recovered({}),
        (error: unknown) => {
          if (!isDatabaseUnavailable(error)) failures.failed({}, { err: error })
        },
      )
    void remove()
    sweep = setInterval(remove, SANDBOX_AGENT_ERASURE_CHECK_MS)
  }

  return {
    removeErased,
    reserve(organizationId) {
      const at = requirePlace(organizationId)
      const place: Kept = { organizationId }
      kept.add(place)
      let prepared: AgentFolder | undefined
      const discard = () => {
        if (prepared) removeAgentFolder(prepared)
        prepared = undefined
      }
      return {
        prepare(agent, apiKey) {
          discard()
          const [passphrase, unique] = [randomBase62(parts.random, 43), randomBase62(parts.random, 8)]
          prepared = writeAgentFolder(at.root, agent, { apiKey, passphrase, unique })
          return viewOf(agent)
        },
        take() {
          kept.delete(place)
          assert(prepared !== undefined, 'an agent is prepared before it takes its place')
          const { folder, process } = keep(at, prepared)
          return viewOf(folder.agent, process)
        },
        release() {
          kept.delete(place)
          discard()
        },
      }
    },
    list: (organizationId) =>
      [...kept]
        .filter((one) => one.organizationId === organizationId)
        .flatMap(({ running }) => (running ? [viewOf(running.folder.agent, running.process)] : []))
        .toSorted((a, b) => a.id - b.id),
    require(organizationId, agentId) {
      const found = [...kept].find(
        (one) => one.organizationId === organizationId && one.running?.folder.agent.id === agentId,
      )
      if (found?.running === undefined) throw new Failure('NOT_FOUND', { message: 'The sandbox agent does not exist.' })
      const { folder, process } = found.running
      return {
        start: process.start,
        stop: process.stop,
        isAccepted: () => isAccepted(folder),
        retire() {
          retireAgentFolder(folder)
          kept.delete(found)
        },
      }
    },
    resume() {
      if (typeof host === 'string') return
      for (const folder of readAgentFolders(host.root, parts.log)) keep(host, folder)
      keepRemoving()
    },
    async stop() {
      isStopping = true
      clearInterval(sweep)
      await Promise.all([...kept].map(({ running }) => running?.process.stop()))
    },
  }
}

async function erasedOrganizations(db: Database, folders: readonly AgentFolder[]): Promise<number[]> {
  if (folders.length === 0) return []
  const rows = await db
    .selectFrom('organizations')
    .select('id')
    .where('id', 'in', [...new Set(folders.map(({ agent }) => agent.organizationId))])
    .where('erased_at', 'is not', null)
    .execute()
  return rows.map(({ id }) => id)
}

function viewOf({ id, name, createdAt }: AgentRecord, process?: AgentProcess): SandboxAgent {
  return {
    id,
    name,
    createdAt,
    state: process?.state() ?? 'starting',
    startedAt: process?.startedAt() ?? null,
    restarts: process?.restarts() ?? 0,
  }
}
