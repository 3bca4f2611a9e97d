// Also tested in: apps/cli/system/cli.test.ts (beside a service without TLS).
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../server/src/config.ts'
import { TEST_CERTIFICATE } from '../../../server/testing/stand-ins/test-certificate.ts'
import { checkHost } from './check-host.ts'
import { ok, problem } from './findings.ts'

/** What the doctor finds on the port of a server with TLS whose certificate nobody signed. */
async function findingBeside(status: number, body: object) {
  const server: Server = createServer(TEST_CERTIFICATE, (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const config = readConfig({ DATA_DIR: tmpdir(), HOST: '127.0.0.1', PORT: String(port) })
  const findings = await checkHost({ ...config, tls: { certFile: 'cert.pem', keyFile: 'key.pem' } })
  return { finding: findings.at(-1), base: `https://127.0.0.1:${port}` }
}

test('a service that has its own certificate is asked over TLS, whatever name that is for', async () => {
  const ready = await findingBeside(200, { status: 'ready' })
  expect(ready.finding).toEqual(ok(`a service runs on ${ready.base} and is ready`))
  const failing = await findingBeside(503, {
    code: 'NOT_READY',
    details: { checks: { writes: 'failed', chains: 'ok' } },
  })
  expect(failing.finding).toEqual(
    problem(`a service runs on ${failing.base} and is not ready: writes`, `read ${failing.base}/ready and the logs`),
  )
})

test('another program on the port is a problem', async () => {
  const { finding } = await findingBeside(200, { hello: 'world' })
  expect(finding).toMatchObject({ status: 'problem', message: expect.stringContaining('is used by another program') })
})
