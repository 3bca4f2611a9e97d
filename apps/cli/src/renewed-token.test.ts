import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { renewedToken, type Tokens, tokensIn } from './renewed-token.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

const tokens = (name: string): Tokens => ({
  accessToken: `access ${name}`,
  refreshToken: `refresh ${name}`,
  expiresIn: 60,
})
const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000)

test('a token is renewed after half its lifetime, once, however many calls need it', async () => {
  const used: string[] = []
  const supplied = renewedToken(tokens('0'), async (refreshToken) => {
    used.push(refreshToken)
    return tokens(String(used.length))
  })
  pass(29)
  expect(await supplied()).toBe('access 0')
  pass(1)
  expect(await Promise.all([supplied(), supplied()])).toEqual(['access 1', 'access 1'])
  pass(30)
  expect(await supplied()).toBe('access 2')
  expect(used).toEqual(['refresh 0', 'refresh 1'])
})

test('a renewal that fails leaves the token, and the next call tries again', async () => {
  let isAway = true
  const supplied = renewedToken(tokens('0'), async () => {
    if (isAway) throw new Error('away')
    return tokens('1')
  })
  pass(40)
  expect(await supplied()).toBe('access 0')
  isAway = false
  expect(await supplied()).toBe('access 1')
})

test('a renewal that is replayed has no tokens: it leaves the token, and the next call tries again', async () => {
  let isReplay = true
  const used: string[] = []
  const supplied = renewedToken(tokens('0'), async (refreshToken) => {
    used.push(refreshToken)
    return tokensIn(isReplay ? { accessToken: null, refreshToken: null, expiresIn: 60 } : tokens('1'))
  })
  pass(40)
  expect(await supplied()).toBe('access 0')
  isReplay = false
  expect(await supplied()).toBe('access 1')
  expect(used).toEqual(['refresh 0', 'refresh 0'])
})
