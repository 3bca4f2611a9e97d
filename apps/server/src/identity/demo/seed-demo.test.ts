import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { inTransaction } from '../../database/index.ts'
import { verifyAuditLogs } from '../audit/verify-audit-log.ts'
import { authenticateKey } from '../keys/authenticate-key.ts'
import { deleteKey } from '../keys/delete-key.ts'
import type { DemoCredentials } from './demo-file.ts'
import { seedDemo } from './seed-demo.ts'

const baseUrl = 'http://127.0.0.1:3000'
let parts: IdentityFixture
let dataDir: string
beforeEach(async () => {
  parts = await identityFixture()
  dataDir = await mkdtemp(join(tmpdir(), 'weir-demo-'))
})
afterEach(async () => {
  await parts.close()
  await rm(dataDir, { recursive: true })
})

const path = () => join(dataDir, 'sandbox-credentials.json')
const seed = (url = baseUrl) => seedDemo(parts, { dataDir, baseUrl: url })
const onDisk = async (): Promise<DemoCredentials> => JSON.parse(await readFile(path(), 'utf8'))

async function organizations() {
  return (await parts.db.selectFrom('organizations').select('id').execute()).length
}

/** Every secret in the file works for the one demo organization, and only the owner can read the file. */
async function expectWorkingFile(): Promise<DemoCredentials> {
  const credentials = await onDisk()
  expect((await stat(path())).mode & 0o777).toBe(0o600)
  const { email, password } = credentials
  const { organization } = await logIn(parts, { email, password, address: '127.0.0.1' })
  const scopes = { organizationApiKey: 'organization', profileApiKey: 'profile', adminApiKey: 'admin' } as const
  for (const [field, scope] of Object.entries(scopes)) {
    const check = await authenticateKey(parts, credentials[field as keyof typeof scopes])
    expect(check).toMatchObject({ status: 'valid', credential: { scope, organizationId: organization.id } })
  }
  expect(await organizations()).toBe(1)
  expect(await readdir(dataDir)).toEqual(['sandbox-credentials.json'])
  return credentials
}

test('the first start creates a demo organization and a file with working credentials', async () => {
  const { path: written, credentials } = await seed()
  expect(written).toBe(path())
  expect(await expectWorkingFile()).toEqual(credentials)
  expect(Object.keys(credentials)).toEqual([
    'baseUrl',
    'email',
    'password',
    'organizationApiKey',
    'profileApiKey',
    'adminApiKey',
  ])
})

test('the log of the demo organization begins with its registration, also that of an earlier version', async () => {
  const entries = () => parts.db.selectFrom('audit_log').select(['id', 'action', 'actor_type']).execute()
  await seed()
  const registered = [{ id: 1, action: 'register', actor_type: 'system' }]
  expect(await entries()).toEqual(registered)
  await seed()
  expect(await entries()).toEqual(registered)
  await inTransaction(parts.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`delete from audit_log`.execute(tx)
    await sql`update audit_heads set entries = 0, hash = decode(repeat('00', 32), 'hex')`.execute(tx)
  })
  await seed()
  for await (const { broken } of verifyAuditLogs(parts.db)) expect(broken).toBeUndefined()
})

test('a restart changes nothing; another port changes only the address', async () => {
  await seed()
  const first = await onDisk()
  const { mtimeMs } = await stat(path())
  await seed()
  expect((await stat(path())).mtimeMs).toBe(mtimeMs)
  await seed('http://127.0.0.1:4000')
  expect(await expectWorkingFile()).toEqual({ ...first, baseUrl: 'http://127.0.0.1:4000' })
})

test.each([
  ['was lost', () => rm(path())],
  ['was emptied', () => writeFile(path(), '')],
  ['was cut in half', async () => writeFile(path(), (await readFile(path(), 'utf8')).slice(0, 100))],
  ['is something else', () => writeFile(path(), '[1, null]')],
])('when the file %s, the next start issues new secrets for the same organization', async (_how, damage) => {
  await seed()
  const before = await onDisk()
  await damage()
  await seed()
  const after = await expectWorkingFile()
  expect(after.password).not.toBe(before.password)
  expect(after.organizationApiKey).not.toBe(before.organizationApiKey)
})

test('a file of another database is replaced', async () => {
  await seed()
  const old = await onDisk()
  await parts.close()
  parts = await identityFixture()
  await seed()
  const fresh = await expectWorkingFile()
  for (const field of ['password', 'organizationApiKey', 'profileApiKey', 'adminApiKey'] as const) {
    expect(fresh[field]).not.toBe(old[field])
  }
})

test('a deleted demo key is replaced, and the others stay', async () => {
  await seed()
  const before = await onDisk()
  const check = await authenticateKey(parts, before.profileApiKey)
  if (check.status !== 'valid') throw new Error('the key must hold')
  await deleteKey(parts, check.credential.organizationId, check.credential.keyId)
  await seed()
  const { profileApiKey } = await expectWorkingFile()
  expect(profileApiKey).not.toBe(before.profileApiKey)
  expect(await onDisk()).toEqual({ ...before, profileApiKey })
})

test('a file that others could read is made private', async () => {
  await seed()
  await chmod(path(), 0o644)
  await seed()
  await expectWorkingFile()
})

test('processes that start at once create one organization and one file with working credentials', async () => {
  await Promise.all(Array.from({ length: 4 }, () => seed()))
  await expectWorkingFile()
})

test('a crash before the commit is repaired by the next start', async () => {
  await seed()
  // A crash between writing the file and the commit leaves secrets that no database knows.
  const lost = { ...(await onDisk()), password: randomUUID(), adminApiKey: `svc_sandbox_${'x'.repeat(36)}` }
  await writeFile(path(), JSON.stringify(lost))
  await seed()
  await expectWorkingFile()
})

test('a start that cannot write its file fails and leaves no organization behind', async () => {
  const blocked = join(dataDir, 'file')
  await writeFile(blocked, '')
  await expect(seedDemo(parts, { dataDir: blocked, baseUrl })).rejects.toThrow()
  expect(await organizations()).toBe(0)
})

test('live has no demo organization', async () => {
  await expect(seedDemo({ ...parts, environment: 'live' }, { dataDir, baseUrl })).rejects.toThrow('sandbox only')
})
