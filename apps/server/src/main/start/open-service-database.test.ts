import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, runStatement } from '../../../testing/database/databases.ts'
import { silentLog } from '../../kernel/index.ts'
import { openServiceDatabase } from './open-service-database.ts'

const open = (url: string) =>
  openServiceDatabase({ url, log: silentLog, max: 1 }, ({ close }) => onTestFinished(() => close()))

test('a start without a server ends with the setting, the reason and what to do, and without the password', async () => {
  const error = await open('postgres://weir:very-secret@127.0.0.1:1/weir').catch((thrown: Error) => thrown)
  expect(String(error)).toBe(
    'Error: DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1; check that PostgreSQL runs and that this host can reach it',
  )
})

test('a start with a password or a database that the server refuses asks for these', async () => {
  const url = new URL(inject('postgresUrl'))
  url.password = 'guessed'
  await expect(open(url.href)).rejects.toThrow(
    /^DATABASE_URL: password authentication failed .*; check the user, its password, and the name of the database$/,
  )
  Object.assign(url, { password: new URL(inject('postgresUrl')).password, pathname: '/nowhere' })
  await expect(open(url.href)).rejects.toThrow(/"nowhere" does not exist; check the user/)
})

test('a start on a standby asks for the primary', async () => {
  const { url, drop } = await createDatabase(inject('postgresUrl'), 'template1')
  onTestFinished(drop)
  const name = new URL(url).pathname.slice(1)
  await runStatement(inject('postgresUrl'), `alter database ${name} set default_transaction_read_only = on`)
  await expect(open(url)).rejects.toThrow(
    /^DATABASE_URL: 127\.0\.0\.1:\d+ does not accept writes: it is a standby, or read-only; name the primary, or all servers separated by commas$/,
  )
  const several = url.replace(/@([^/]+)/, (_, authority) => `@127.0.0.1:1,${authority}`)
  await expect(open(several)).rejects.toThrow(
    /^DATABASE_URL: no server accepts writes: connect ECONNREFUSED 127\.0\.0\.1:1; .*; name the primary/,
  )
})

test('a URL that cannot be used is refused with what is wrong with it', async () => {
  await expect(open('postgres://one,two/weir?target_session_attrs=standby')).rejects.toThrow(
    'DATABASE_URL: must have target_session_attrs read-write, primary or any',
  )
})
