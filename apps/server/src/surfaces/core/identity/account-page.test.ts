import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { everyRoute } from '../../../../testing/every-route.ts'

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
