import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { inTransaction } from '../../database/index.ts'
import { createOrganization } from '../../identity/organizations/create-organization.ts'
import { systemClock } from '../../kernel/index.ts'
import { approveDomainByCommand } from './domain-approve-command.ts'

let database: TestDatabase
let organizationId: number
beforeAll(async () => {
  database = await testDatabase()
  const owner = { email: 'ada@acme.example', name: null, passwordHash: 'of a test' }
  const made = await inTransaction(database.db, (tx) =>
    createOrganization(tx, { clock: systemClock }, { name: 'Acme', owner }),
  )
  organizationId = made.organization.id
})
afterAll(() => database?.close())

async function run(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  await approveDomainByCommand({ DATABASE_URL: database.url }, args, (line) => lines.push(line))
  return lines
}

test('records the domain of an organization, and says what to do next', async () => {
  const [owns, next] = await run(String(organizationId), 'Acme.Example')
  expect(owns).toBe(`organization ${organizationId} owns acme.example`)
  expect(next).toContain('PATCH /api/core/sso/providers')
  const events = database.db.selectFrom('security_events').select(['type', 'organization_id', 'actor_type'])
  expect(await events.execute()).toEqual([
    { type: 'domain_approved', organization_id: organizationId, actor_type: 'system' },
  ])
})

test('refuses other arguments, unknown organizations and malformed domains', async () => {
  await expect(run()).rejects.toThrow('the id of an organization')
  await expect(run('acme', 'acme.example')).rejects.toThrow('the id of an organization')
  await expect(run(String(organizationId), 'a.example', 'b.example')).rejects.toThrow('the id of an organization')
  await expect(run('1099511627776', 'a.example')).rejects.toThrow('No organization has this id.')
  await expect(run(String(organizationId), 'localhost')).rejects.toThrow('domain')
})
