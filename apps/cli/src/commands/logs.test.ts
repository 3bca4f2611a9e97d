// Also tested in: apps/cli/system/cli.test.ts (events and entries of a real service, and Ctrl-C).

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testShell } from '../../testing/test-shell.ts'
import { run } from '../run.ts'

/** A service whose access tokens are good for one request, and expire at once or never. */
async function startService(expiresIn: number): Promise<string> {
  let sessions = 0
  const used = new Set<string>()
  const tokens = () => {
    sessions += 1
    return { accessToken: `access-${sessions}`, refreshToken: `refresh-${sessions}`, expiresIn, tokenType: 'Bearer' }
  }
  const respond = (request: IncomingMessage): [number, object] => {
    if (request.url?.startsWith('/api/core/auth/')) return [200, { success: true, data: tokens() }]
    const token = String(request.headers.authorization)
    if (used.has(token)) return [401, { success: false, error: { code: 'UNAUTHORIZED', message: 'expired' } }]
    used.add(token)
    const actor = { type: 'user', id: 1, name: null }
    const object = { type: 'wallet', id: 2 }
    const entry = { id: used.size, at: '2026-01-01T00:00:00Z', action: 'createWallet', actor, object, from: null }
    return [200, { success: true, data: { entries: [entry], total: 1 } }]
  }
  const server = createServer((request, response) => {
    const [status, body] = respond(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Follows the audit log until it has printed an entry. */
async function tail(env: Record<string, string>) {
  const shell = testShell({ DATA_DIR: '/nowhere', ...env })
  const out = (line: string) => {
    shell.out(line)
    shell.interrupt()
  }
  const code = await run(['logs', 'tail', '--source', 'audit', '--json'], { ...shell, out })
  return { code, shell }
}

test('logs tail --source audit goes on when its access token expires', async () => {
  const { code, shell } = await tail({
    WEIR_URL: await startService(0),
    WEIR_EMAIL: 'ada@acme.example',
    WEIR_PASSWORD: 'correct horse battery',
  })
  expect(code).toBe(0)
  // Lines of JSON only, also after Ctrl-C.
  expect(shell.printed.map((line) => JSON.parse(line))).toMatchObject([{ id: 2 }])
})

test('with a token that it cannot renew, it says how to go on', async () => {
  const { code, shell } = await tail({ WEIR_URL: await startService(3_600), WEIR_ACCESS_TOKEN: 'of-a-session' })
  expect(code).toBe(2)
  expect(shell.printed.join()).toMatch(/session has ended.*--after 1.*WEIR_EMAIL/)
})
