// A client keeps the body of a request back until its credential has ended. The rest is tested in:
// surfaces/http/pipeline/check-credentials.test.ts.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../../../testing/identity/log-in.ts'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { until } from '../../../../../testing/until.ts'
import { apiKeyRoutes } from '../keys/api-keys.ts'
import { serviceAccountRoutes } from '../keys/service-accounts.ts'
import { memberRoutes } from '../organization/members.ts'
import { authRoutes } from './auth.ts'
import { sessionRoutes } from './sessions.ts'

let server: CoreServer
let port = 0
/** Requests whose headers were admitted. */
let begun = 0
beforeAll(async () => {
  const routes: Parameters<typeof coreServer>[0] = (app, parts) => {
    app.addHook('onRequest', (_request, _reply, done) => {
      begun += 1
      done()
    })
    authRoutes(app, parts)
    memberRoutes(app, parts)
    sessionRoutes(app, parts)
    apiKeyRoutes(app, parts)
    serviceAccountRoutes(app, parts)
    const access = { surface: 'v1', needs: 'write', permission: 'plan' } as const
    app.post('/v1/anything', { config: { access, limit: 'v1.write', audit: false } }, async () => ({ done: true }))
  }
  // Every wait counts as a long one.
  server = await coreServer(routes, 1_000, { credentialFreshMs: 0 })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.app.server.address() as AddressInfo).port
})
afterAll(() => server?.close())

/** Sends the headers, and once they were admitted returns what sends the body. */
async function begin(path: string, credential: string, body: unknown) {
  const text = JSON.stringify(body)
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const before = begun
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${credential}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n`,
  )
  await until(() => begun > before)
  return async () => {
    let response = ''
    socket.on('data', (chunk) => {
      response += chunk
    })
    socket.write(text)
    await once(socket, 'close')
    return { status: Number(response.split(' ')[1]), response }
  }
}
const bearer = (token: string) => `Authorization: Bearer ${token}`

test.each([
  ['API key', '/api/core/apikeys/generate', { name: 'mine forever' }],
  ['service account', '/api/core/service-accounts', { name: 'mine forever', role: 'admin' }],
  ['other member', '/api/core/members', { email: 'again@acme.example', role: 'admin', password: PASSWORD }],
])('an admin who was removed before the body gets no %s', async (_what, path, body) => {
  const { tokens, ids } = await staffedOrganization(server.parts)
  const finish = await begin(path, bearer(tokens.admin), body)
  expect((await server.call('DELETE', `/api/core/members/${ids.admin}`, { token: tokens.owner })).status).toBe(200)
  const { status, response } = await finish()
  expect([status, response.includes('svc_')]).toEqual([401, false])
})

test('an admin who became a viewer before the body acts as a viewer', async () => {
  const { tokens, ids } = await staffedOrganization(server.parts)
  const finish = await begin('/api/core/apikeys/generate', bearer(tokens.admin), { name: 'mine forever' })
  const change = { token: tokens.owner, body: { role: 'viewer' } }
  expect((await server.call('PATCH', `/api/core/members/${ids.admin}`, change)).status).toBe(200)
  expect((await finish()).status).toBe(403)
})

test('a thief whose session was ended before the body gets no API key', async () => {
  const { user } = await organization(server.parts)
  const at = (address: string) => logIn(server.parts, { email: user.email, password: PASSWORD, address })
  const [owner, thief] = [await at('192.0.2.1'), await at('192.0.2.66')]
  const finish = await begin('/api/core/apikeys/generate', bearer(thief.accessToken), { name: 'mine forever' })
  const ended = await server.call('DELETE', '/api/core/auth/sessions', { token: owner.accessToken })
  expect(ended.body.data.ended).toBeGreaterThan(0)
  expect((await finish()).status).toBe(401)
})

test('an API key that was deleted before the body does nothing', async () => {
  const { accessToken: token } = await organization(server.parts)
  const made = await server.call('POST', '/api/core/apikeys/generate', { token, body: { name: 'leaked' } })
  const { apiKey, id } = made.body.data
  const finish = await begin('/v1/anything', `X-API-Key: ${apiKey}`, {})
  expect((await server.call('DELETE', `/api/core/apikeys/${id}`, { token })).status).toBe(200)
  expect((await finish()).status).toBe(403)
})
