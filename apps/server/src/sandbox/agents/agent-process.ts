import { setTimeout as pause } from 'node:timers/promises'
import {
  type Clock,
  createOutageLogs,
  type GuardedProcess,
  type Log,
  SANDBOX_AGENT_KEY_CHECK_MS,
  SANDBOX_AGENT_LEASE_MS,
  SANDBOX_AGENT_RESTART_MS,
  SANDBOX_AGENT_STABLE_MS,
  SHUTDOWN_TIMEOUT_MS,
  startGuarded,
} from '../../kernel/index.ts'
import { type AgentFolder, apiKeyFile, passphraseFile } from './agent-folder.ts'

/** `starting`: its process loads. `restarting`: it ended by itself and starts again. `stopped`: it does not start again. */
export type SandboxAgentState = 'starting' | 'running' | 'restarting' | 'stopped'

export interface AgentProcessParts {
  readonly clock: Clock
  readonly log: Log
  /** The file of the agent's program. */
  readonly program: string
  /** Where the agent reaches this service. */
  readonly url: string
  /** Whether the service accepts the agent's key. */
  readonly isAccepted: (folder: AgentFolder) => Promise<boolean>
}

/** The custody agent of one folder, as a process that is started again when it ends. */
export interface AgentProcess {
  state(): SandboxAgentState
  /** When the process that runs now was started; null if none does. */
  startedAt(): Date | null
  /** How often it was started again since this service started. */
  restarts(): number
  start(): void
  /** Stops it after its current work; resolves when its process has exited. */
  stop(): Promise<void>
}

/** Supervises the agent of a folder: starts it, again whenever it ends, and no more once its key is refused. */
export function createAgentProcess(parts: AgentProcessParts, folder: AgentFolder): AgentProcess {
  const { clock } = parts
  const log = parts.log.child({ sandboxAgent: folder.agent.id })
  let state: SandboxAgentState = 'stopped'
  let startedAt: Date | null = null
  let restarts = 0
  let current: { readonly stopping: AbortController; readonly ended: Promise<void> } | undefined

  async function supervise(stopping: AbortSignal): Promise<void> {
    const exits = createOutageLogs(log, {
      away: 'a sandbox agent exited; restarting it',
      back: 'a sandbox agent runs again',
    })
    let delay: number = SANDBOX_AGENT_RESTART_MS.min
    while (await mayStart()) {
      if (stopping.aborted) break
      startedAt = clock.now()
      const stable = setTimeout(() => exits.recovered({}), SANDBOX_AGENT_STABLE_MS)
      const code = await runOnce(stopping).finally(() => clearTimeout(stable))
      if (stopping.aborted) break
      const wasStable = clock.now().getTime() - startedAt.getTime() >= SANDBOX_AGENT_STABLE_MS
      if (wasStable) delay = SANDBOX_AGENT_RESTART_MS.min
      state = 'restarting'
      startedAt = null
      restarts += 1
      exits.failed({}, { code, delay })
      await pause(delay, undefined, { signal: stopping }).catch(() => undefined)
      delay = Math.min(2 * delay, SANDBOX_AGENT_RESTART_MS.max)
    }
    state = 'stopped'
    startedAt = null
  }

  /** While the database is unavailable the agent is started: it waits for the service by itself. */
  function mayStart(): Promise<boolean> {
    return parts.isAccepted(folder).catch(() => true)
  }

  async function runOnce(stopping: AbortSignal): Promise<number> {
    const guarded = startGuarded(process.execPath, [parts.program], {
      stopSignal: 'TERM',
      env: environmentOf(parts, folder),
      onLine: (line) => log.warn({ line }, 'output of a sandbox agent'),
      onOutput(line) {
        if (line.startsWith('ready ')) state = 'running'
      },
    })
    const onStop = () => end(guarded)
    if (stopping.aborted) onStop()
    stopping.addEventListener('abort', onStop)
    const watch = setInterval(async () => {
      if (!(await mayStart())) end(guarded)
    }, SANDBOX_AGENT_KEY_CHECK_MS)
    try {
      return await guarded.ended
    } finally {
      clearInterval(watch)
      stopping.removeEventListener('abort', onStop)
    }
  }

  return {
    state: () => state,
    startedAt: () => startedAt,
    restarts: () => restarts,
    start() {
      if (current !== undefined) return
      state = 'starting'
      const stopping = new AbortController()
      const ended = supervise(stopping.signal).catch((error: unknown) => {
        state = 'stopped'
        log.error({ err: error }, 'failed to start a sandbox agent')
      })
      current = { stopping, ended }
    },
    async stop() {
      current?.stopping.abort()
      await current?.ended
      current = undefined
    },
  }
}

function end(guarded: GuardedProcess): void {
  guarded.release()
  const timer = setTimeout(() => guarded.kill('SIGKILL'), SHUTDOWN_TIMEOUT_MS)
  const forget = () => clearTimeout(timer)
  guarded.ended.then(forget, forget)
}

/** The settings of docs/agent-settings.md. */
function environmentOf({ url }: AgentProcessParts, { path }: AgentFolder): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env
  return {
    ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }),
    WEIR_URL: url,
    WEIR_API_KEY_FILE: apiKeyFile(path),
    AGENT_DIR: path,
    KEYSTORE_PASSPHRASE_FILE: passphraseFile(path),
    // The passphrase is random.
    KEYSTORE_KDF: 'light',
    AGENT_PORT: '0',
    // The organization may run agents of its own.
    UNKNOWN_WALLET: 'leave',
    LEASE_MS: String(SANDBOX_AGENT_LEASE_MS),
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
  }
}
