import { afterAll, beforeAll, expect, test } from 'vitest'
import { setQuotas } from '../../../../../testing/identity/set-quotas.ts'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { generateKey } from '../../../../identity/index.ts'
import { QUOTAS } from '../../../../kernel/index.ts'
import { apiKeyRoutes } from '../keys/api-keys.ts'
import { quotaRoutes } from './quotas.ts'

let server: CoreServer
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    apiKeyRoutes(app, parts)
    quotaRoutes(app, parts)
  })
})
afterAll(() => server.close())

const list = (token: string) => server.call('GET', '/api/core/organization/quotas', { token })

test('limits and use are listed, and a request beyond a limit names both', async () => {
  const { organizationId, tokens } = await staffedOrganization(server.parts)
  await setQuotas(server.parts.db, organizationId, { apiKeys: 1 })
  await generateKey(server.parts, { organizationId, name: 'One' })
  const { status, body } = await list(tokens.viewer)
  expect(status).toBe(200)
  const byName = new Map((body.data as { quota: string }[]).map((one) => [one.quota, one]))
  expect([...byName.keys()]).toEqual(Object.keys(QUOTAS))
  expect(byName.get('apiKeys')).toEqual({ quota: 'apiKeys', limit: 1, used: 1 })
  expect(byName.get('members')).toMatchObject({ limit: QUOTAS.members, used: 4 })
  expect(byName.get('wallets')).toEqual({ quota: 'wallets', limit: QUOTAS.wallets, used: 0 })
  const refused = await server.call('POST', '/api/core/apikeys/generate', {
    token: tokens.admin,
    body: { name: 'Two' },
  })
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', details: { reason: 'quota_exceeded', quota: 'apiKeys', limit: 1, used: 1 } },
  })
})

test('another organization’s use is not counted', async () => {
  const one = await staffedOrganization(server.parts)
  const other = await staffedOrganization(server.parts)
  await generateKey(server.parts, { organizationId: one.organizationId, name: 'Key' })
  const { body } = await list(other.tokens.owner)
  expect(body.data).toContainEqual({ quota: 'apiKeys', limit: QUOTAS.apiKeys, used: 0 })
})
