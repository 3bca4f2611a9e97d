import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { endWithThisProcess } from '../../server/testing/processes/end-with-this-process.ts'
import { programFile } from '../../server/testing/processes/program-file.ts'
import { until } from '../../server/testing/until.ts'
import type { WorkStep } from '../src/work/index.ts'

const main = () => programFile('agent', new URL('../src/main.ts', import.meta.url))
const interrupted = () => programFile('interrupted', new URL('programs/interrupted.ts', import.meta.url))

type Settings = Readonly<Record<string, string>>

/** The agent as an operator runs it: a separate process, observed by its output and its exit. */
export interface AgentProcess {
  /** Base URL of /health and /metrics. */
  readonly url: string
  /** Its log so far. */
  log(): string
  /** Resolves with the exit code or signal. */
  readonly ended: Promise<number | NodeJS.Signals>
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>
}

/** Starts `weir-agent`; rejects with its output if it exits before it is ready. */
export async function startAgentProcess(settings: Settings): Promise<AgentProcess> {
  const agent = watch(spawn(process.execPath, [main()], options(settings)))
  const url = await Promise.race([
    agent.ready,
    agent.ended.then((code) => {
      throw new Error(`the agent ended with ${code} before it was ready: ${agent.log()}`)
    }),
  ])
  return { ...agent, url }
}

/** Runs the agent until SIGKILL ends it, as soon as it reports this step. */
export async function crashAgentAt(step: WorkStep, settings: Settings): Promise<void> {
  const agent = watch(spawn(process.execPath, [interrupted(), step, 'SIGKILL'], options(settings)))
  const how = await agent.ended
  if (how !== 'SIGKILL') throw new Error(`the agent ended with ${how} and was not killed: ${agent.log()}`)
}

/** Runs the agent until it is suspended at this step, as on a suspended machine. */
export async function stallAgentAt(step: WorkStep, settings: Settings) {
  const child = spawn(process.execPath, [interrupted(), step, 'SIGSTOP'], options(settings))
  const agent = watch(child)
  await until(() => isStopped(child.pid!))
  const goOn = () => child.kill('SIGCONT')
  const end = () => {
    goOn()
    return agent.end()
  }
  return { log: agent.log, end, goOn }
}

function isStopped(pid: number): boolean {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('T') === true
}

/** Runs the agent with these settings until it exits. */
export async function runAgentUntilExit(settings: Settings): Promise<{ code: number | NodeJS.Signals; log: string }> {
  const agent = watch(spawn(process.execPath, [main()], options(settings)))
  return { code: await agent.ended, log: agent.log() }
}

/** Passes only the given settings: none of the machine's may leak into a test. */
function options(settings: Settings) {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  return {
    env: { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), AGENT_PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'],
  }
}

function watch(child: ChildProcess) {
  const settle = endWithThisProcess(child)
  let [out, err] = ['', '']
  const ready = new Promise<string>((resolve) => {
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      out += text
      const found = /^ready (\S+)$/m.exec(out)
      if (found?.[1]) resolve(found[1])
    })
  })
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    settle()
    return (code ?? signal) as number | NodeJS.Signals
  })
  return {
    ready,
    ended,
    log: () => err,
    end(signal: NodeJS.Signals = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}
