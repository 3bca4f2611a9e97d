import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const script = fileURLToPath(new URL('healthcheck.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'weir-health-'))
let status = 200
let server: Server
let port: string

beforeAll(async () => {
  server = createServer(({ url }, response) => response.writeHead(url === '/ready' ? status : 404).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = String((server.address() as AddressInfo).port)
})
afterAll(() => {
  server?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The exit code in a container that runs this command. */
async function check(command: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const file = join(folder, 'cmdline')
  writeFileSync(file, command.map((part) => `${part}\0`).join(''))
  const ended = promisify(execFile)(process.execPath, [script, file], { env })
  return await ended.then(
    () => 0,
    ({ code }: { code: number }) => code,
  )
}

const NODE = ['node', '--max-semi-space-size=8', '/opt/weir/weir.mjs']

test('asks the service on its port, and the agent on its own, also below an init', async () => {
  expect(await check([...NODE, 'start'], { PORT: port })).toBe(0)
  expect(await check([...NODE, 'agent'], { PORT: '1', AGENT_PORT: port })).toBe(0)
  expect(await check(['/sbin/docker-init', '--', ...NODE, 'agent'], { PORT: '1', AGENT_PORT: port })).toBe(0)
  expect(await check([...NODE, 'start'], { PORT: '1', AGENT_PORT: port })).toBe(1)
})

test('is not healthy while the program is not ready', async () => {
  status = 503
  for (const command of ['start', 'agent'])
    expect(await check([...NODE, command], { PORT: port, AGENT_PORT: port })).toBe(1)
})
