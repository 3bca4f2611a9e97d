import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openRampDatabase } from '../../../../testing/ramp/ramp-database.ts'
import { insertPayments } from '../../../../testing/ramp/ramp-payments.ts'
import { rampServer } from '../../../../testing/surfaces/ramp-server.ts'
import { Failure, RAMP_EXPORT_BATCH, silentLog } from '../../../kernel/index.ts'

test('a key that is deleted while an export is read gets no further part of it', async () => {
  const fixture = await openRampDatabase()
  onTestFinished(fixture.close)
  const client = await fixture.organization()
  await insertPayments(fixture, client, RAMP_EXPORT_BATCH + 1)
  let checks = 0
  const app = await rampServer(fixture.parts, silentLog, () => {
    checks += 1
    if (checks > 2) throw new Failure('API_KEY_DISABLED')
  })
  onTestFinished(() => app.close())
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const headers = { 'x-api-key': String(client.organizationId) }
  const asked = send({ port, path: '/v1/ramp/transactions/export', headers }).end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  let text = ''
  response.on('data', (chunk) => {
    text += chunk
  })
  // Broken off, so that no part of an export looks whole.
  await expect(once(response, 'end')).rejects.toThrow('aborted')
  expect(text).toContain(`payment ${RAMP_EXPORT_BATCH}`)
  expect(text).not.toContain('payment 0,')
})
