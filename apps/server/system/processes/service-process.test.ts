import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { until } from '../../testing/index.ts'

/** Starts a program that never ends, as tests start services, and prints its id. */
const STARTS_A_SERVICE = `
  import { spawn } from 'node:child_process'
  import { watch } from '${new URL('service-process.ts', import.meta.url).href}'
  const program = "console.log('ready http://127.0.0.1:1'); setInterval(() => {}, 1000)"
  const service = await watch(spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'pipe'] }))
  console.log(service.pid)
  setInterval(() => {}, 1000)
`

test.each(['SIGKILL', 'SIGTERM'] as const)('a test run that ends by %s leaves no service', async (signal) => {
  const run = spawn(process.execPath, ['--conditions=@weir/source', '--input-type=module', '-e', STARTS_A_SERVICE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const pid = await firstNumberOf(run)
  expect(isRunning(pid)).toBe(true)
  run.kill(signal)
  await once(run, 'exit')
  await until(() => !isRunning(pid))
})

async function firstNumberOf({ stdout }: ChildProcess): Promise<number> {
  const [text] = (await once(stdout!.setEncoding('utf8'), 'data')) as [string]
  return Number(text)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
