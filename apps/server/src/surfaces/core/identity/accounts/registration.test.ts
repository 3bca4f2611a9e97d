import { afterEach, expect, test } from 'vitest'
import { PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { type CoreServer, coreServer } from '../../../../../testing/surfaces/core-server.ts'
import { createInvitation, type RegistrationMode } from '../../../../identity/index.ts'
import { authRoutes } from '../sessions/auth.ts'

let server: CoreServer
afterEach(() => server?.close())

async function start(mode: RegistrationMode): Promise<void> {
  server = await coreServer((app, parts) => authRoutes(app, parts, mode))
}
const register = (email: string, invitation?: string) =>
  server.call('POST', '/api/core/auth/register', {
    body: { email, password: PASSWORD, organizationName: 'Acme', ...(invitation === undefined ? {} : { invitation }) },
  })
const organizations = async () => (await server.parts.db.selectFrom('organizations').select('id').execute()).length

test('where registration is closed nobody registers, not even with an invitation', async () => {
  await start('closed')
  const { token } = await createInvitation(server.parts)
  const refused = {
    status: 403,
    body: { code: 'FORBIDDEN', message: 'Registration is closed on this service. Ask its operator.' },
  }
  expect(await register('ada@acme.example')).toMatchObject(refused)
  expect(await register('ada@acme.example', token)).toMatchObject(refused)
  expect(await organizations()).toBe(0)
})

test('where registration requires an invitation, its holder registers once', async () => {
  await start('invite')
  expect(await register('ada@acme.example')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect(await register('ada@acme.example', 'inv_made_up')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  const { token } = await createInvitation(server.parts)
  expect((await register('ada@acme.example', token)).status).toBe(201)
  expect(await register('bob@acme.example', token)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect(await organizations()).toBe(1)
})

test('where registration is open anyone registers', async () => {
  await start('open')
  expect((await register('ada@acme.example')).status).toBe(201)
})
