import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, runStatement } from '../../../testing/database/databases.ts'
import { silentLog } from '../../kernel/index.ts'
import { noteConnectFailure, noteRefusal } from './connect-failures.ts'
import { UncertainCommitError } from './durable-client.ts'
import { isDatabaseUnavailable, isRefusedSession, isStorageFault } from './is-database-unavailable.ts'
import { openDatabase } from './open-database.ts'

const withCode = (code: string, more = {}) => Object.assign(new Error('x'), { code, ...more })

test.each([
  ...['08000', '08001', '08003', '08004', '08006', '08P01', '57P01', '57P02', '57P03', '57P04', '57P05', '57014'],
  ...['53000', '53100', '53200', '53300', '53400', '25006', '25P03', '25P04', '55P03'],
])('SQLSTATE %s is temporary', (code) => {
  expect(isDatabaseUnavailable(withCode(code))).toBe(true)
})

test.each(['23505', '40001', '42P01', '22003', '25P02', '58030', 'XX001', 'XX002'])('SQLSTATE %s is not', (code) => {
  expect(isDatabaseUnavailable(withCode(code))).toBe(false)
})

test.each([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENETDOWN', 'ENETUNREACH', 'EHOSTDOWN'],
  ...['EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAI_AGAIN', 'ENOTFOUND', 'ENOENT', 'EMFILE', 'ENFILE'],
])('%s of a system call is temporary, and the same code without one is not', (code) => {
  expect(isDatabaseUnavailable(withCode(code, { syscall: 'connect' }))).toBe(true)
  expect(isDatabaseUnavailable(withCode(code))).toBe(false)
})

test.each(['ENOENT', 'EMFILE', 'ENFILE'])('%s of a file is not about the database', (code) => {
  expect(isDatabaseUnavailable(withCode(code, { syscall: 'open' }))).toBe(false)
})

test('a commit that may not be durable is temporary, and an address whose every server failed', () => {
  expect(isDatabaseUnavailable(new UncertainCommitError('commit: canceling wait'))).toBe(true)
  expect(isDatabaseUnavailable(new AggregateError([withCode('25006')], 'none'))).toBe(true)
  expect(isDatabaseUnavailable(new Error('a defect'))).toBe(false)
})

test.each(['28000', '28P01', '3D000', '42501', '55000'])(
  'SQLSTATE %s is temporary where a session begins, and nowhere else',
  (code) => {
    const error = withCode(code)
    expect([isDatabaseUnavailable(error), isRefusedSession(error)]).toEqual([false, false])
    // A statement that sets up a session which has begun: a missing grant is no absence.
    noteConnectFailure(error)
    expect([isDatabaseUnavailable(error), isRefusedSession(error)]).toEqual([false, false])
    noteRefusal(error)
    expect([isDatabaseUnavailable(error), isRefusedSession(error)]).toEqual([true, true])
    expect(isRefusedSession(new AggregateError([error], 'none'))).toBe(true)
  },
)

test('an I/O error concerns what was read, not every statement', () => {
  expect(['58030', 'XX001', '53100'].map((code) => isStorageFault(withCode(code)))).toEqual([true, false, false])
})

test('a server that refuses new sessions, during a restore or while a password is replaced, is away', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'), 'template1')
  onTestFinished(drop)
  const name = new URL(url).pathname.slice(1)
  const user = `user_${name}`
  await runStatement(url, `create role ${user} login password 'first'`)
  onTestFinished(() => runStatement(inject('postgresUrl'), `drop role ${user}`))
  const own = new URL(url)
  Object.assign(own, { username: user, password: 'first' })
  const refusal = async () => {
    const { db, close } = openDatabase({ url: own.href, log: silentLog, max: 1 })
    const error = await sql`select`.execute(db).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    await close()
    return error && [(error as { code?: string }).code, isDatabaseUnavailable(error)]
  }
  expect(await refusal()).toBeUndefined()
  const refusals = [
    ['28P01', `alter role ${user} password 'second'`, `alter role ${user} password 'first'`],
    ['28000', `alter role ${user} nologin`, `alter role ${user} login`],
    ['42501', `revoke connect on database ${name} from public`, `grant connect on database ${name} to public`],
    ['55000', `alter database ${name} allow_connections false`, `alter database ${name} allow_connections true`],
    ['3D000', `alter database ${name} rename to ${name}_old`, `alter database ${name}_old rename to ${name}`],
  ] as const
  for (const [code, refuse, accept] of refusals) {
    await runStatement(inject('postgresUrl'), refuse)
    expect(await refusal()).toEqual([code, true])
    await runStatement(inject('postgresUrl'), accept)
    expect(await refusal()).toBeUndefined()
  }
})
