import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { readChangeRules, updateChangePolicy } from '../../changes/index.ts'
import { inTransaction } from '../../database/index.ts'
import { createOrganization } from '../../identity/organizations/create-organization.ts'
import { systemClock } from '../../kernel/index.ts'
import { recoverOwnerByCommand } from './owner-recover-command.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  const owner = { email: 'ada@acme.example', name: null, passwordHash: 'lost' }
  await inTransaction(database.db, (tx) => createOrganization(tx, { clock: systemClock }, { name: 'Acme', owner }))
})
afterAll(() => database?.close())

async function run(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  await recoverOwnerByCommand({ DATABASE_URL: database.url }, args, (line) => lines.push(line))
  return lines
}

test('prints a one-time password, for whom, until when and how to use it', async () => {
  const [password, scope, use] = await run('ada@acme.example')
  expect(password).toMatch(/^password [0-9A-Za-z]{24}$/)
  expect(scope).toMatch(/^for ada@acme\.example, until \d{4}-\d\d-\d\dT.*; sessions ended: 0$/)
  expect(use).toContain('POST /api/core/auth/password')
})

test('refuses an address that no owner has, and any other number of arguments', async () => {
  await expect(run('nobody@acme.example')).rejects.toThrow('No owner has this email address.')
  await expect(run()).rejects.toThrow('one owner')
  await expect(run('ada@acme.example', 'bob@acme.example')).rejects.toThrow('one owner')
})

test('both outcomes are security events, in the database and in the operator’s file', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'weir-events-')), 'events.ndjson')
  const env = { DATABASE_URL: database.url, SECURITY_EVENTS_LOG: path }
  await recoverOwnerByCommand(env, ['ada@acme.example'], () => {})
  await expect(recoverOwnerByCommand(env, ['nobody@acme.example'], () => {})).rejects.toThrow()
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const written = lines.map((line) => JSON.parse(line))
  expect(written).toMatchObject([
    { type: 'owner_recovered', organizationId: expect.any(Number), actor: { type: 'system', id: null } },
    { type: 'owner_recovery_refused', organizationId: null, code: 'NOT_FOUND' },
  ])
  const rows = await database.db.selectFrom('security_events').select('id').execute()
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(written.map(({ id }) => id)))
  expect(lines.join()).not.toContain('nobody@')
})

test('an event log that cannot be written stops the command before it changes anything', async () => {
  const passwords = () => database.db.selectFrom('users').select('password_hash').execute()
  const before = await passwords()
  const env = { DATABASE_URL: database.url, SECURITY_EVENTS_LOG: '/nonexistent/events.ndjson' }
  const said: string[] = []
  await expect(recoverOwnerByCommand(env, ['ada@acme.example'], (line) => said.push(line))).rejects.toThrow('ENOENT')
  expect(said).toEqual([])
  expect(await passwords()).toEqual(before)
})

test('lifts the change policy only on request, with an entry in the audit log', async () => {
  const { db } = database
  const { id: organizationId } = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
  const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const rules = { keys: { requiredApprovals: 0, coolingOffSeconds: 60 } }
  await updateChangePolicy({ db, clock: systemClock }, { organizationId, userId }, { rules })
  const coolingOff = async () => (await readChangeRules(db, organizationId)).keys.coolingOffSeconds
  await run('ada@acme.example')
  expect(await coolingOff()).toBe(60)
  await expect(run('nobody@acme.example', '--reset-change-policy')).rejects.toThrow()
  expect(await coolingOff()).toBe(60)
  expect(await run('ada@acme.example', '--reset-change-policy')).toContain(
    'change policy reset: no change of the configuration needs approval',
  )
  expect(await coolingOff()).toBe(0)
  const entries = await db.selectFrom('audit_log').select(['action', 'actor_type']).orderBy('id', 'desc').execute()
  expect(entries[0]).toEqual({ action: 'resetChangePolicy', actor_type: 'system' })
})
