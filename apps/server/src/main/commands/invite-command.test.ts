import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { invite } from './invite-command.ts'

const database = useFixture(testDatabase)

async function run(...args: string[]): Promise<string[]> {
  const lines: string[] = []
  await invite({ DATABASE_URL: database.url }, args, (line) => lines.push(line))
  return lines
}

test('creates an invitation and says who can use it, until when and how', async () => {
  const [token, scope, use] = await run('ada@acme.example')
  expect(token).toMatch(/^invitation inv_[0-9A-Za-z]{36}$/)
  expect(scope).toMatch(/^valid for one organization, registered by ada@acme\.example, until \d{4}-\d\d-\d\dT/)
  expect(use).toContain('POST /api/core/auth/register')
  expect((await run())[1]).toMatch(/^valid for one organization, until /)
})

test('says that a closed service takes no invitation', async () => {
  const said = async (env: object) => {
    const lines: string[] = []
    await invite({ DATABASE_URL: database.url, ...env }, [], (line) => lines.push(line))
    return lines.filter((line) => line.includes('REGISTRATION=invite'))
  }
  expect(await said({ REGISTRATION: 'closed' })).toEqual([expect.stringContaining('registration is closed')])
  expect(await said({ REGISTRATION: 'invite' })).toEqual([])
  expect(await said({})).toEqual([])
})

test('refuses more than one address, and text that is not an address', async () => {
  await expect(run('a@acme.example', 'b@acme.example')).rejects.toThrow('one email address at most')
  await expect(run('ada')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})
