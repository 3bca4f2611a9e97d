import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { everyRoute } from '../../../../../testing/surfaces/every-route.ts'

test('the policy of the page lets its own script and style run, and no other', async () => {
  const { app } = await everyRoute()
  const { headers, body, statusCode } = await app.inject({ method: 'GET', url: '/account' })
  expect(statusCode).toBe(200)
  const policy = String(headers['content-security-policy'])
  for (const element of ['script', 'style']) {
    const [, code = ''] = new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`).exec(body) ?? []
    expect(code).not.toBe('')
    const hash = createHash('sha256').update(code).digest('base64')
    expect(policy).toContain(`${element}-src 'self' 'sha256-${hash}'`)
  }
  expect(policy).not.toContain('unsafe-inline')
  await app.close()
})

test('a password is masked, may be pasted, and is known to password managers', async () => {
  const { app } = await everyRoute()
  const { body } = await app.inject({ method: 'GET', url: '/account' })
  expect(body).toMatch(/<input id="password" type="password"/)
  expect(body).toMatch(/autocomplete = .*'new-password' : 'current-password'/)
  expect(body).not.toMatch(/onpaste|autocomplete="off"|'paste'/)
  await app.close()
})
