import { expect, test } from 'vitest'
import { ServiceError } from '../service/service-error.ts'
import { warnOfOverprivilegedKey } from './warn-of-overprivileged-key.ts'

async function warnings(permissions: () => Promise<readonly string[] | undefined>): Promise<string[]> {
  const lines: string[] = []
  await warnOfOverprivilegedKey({ permissions }, {
    warn: (_fields: unknown, text: string) => void lines.push(text),
  } as never)
  return lines
}

test('the agent warns of a key with more than the permission agent, and not of an agent’s key', async () => {
  expect(await warnings(async () => ['agent'])).toEqual([])
  for (const wide of [
    ['agent', 'read'],
    ['read', 'plan', 'submit', 'ramp', 'agent'],
  ]) {
    expect(await warnings(async () => wide)).toEqual([expect.stringMatching(/^WEIR_API_KEY can do more/)])
  }
})

test('a service that does not say what the key may do, or does not respond, is no problem', async () => {
  expect(await warnings(async () => undefined)).toEqual([])
  const unavailable = () => Promise.reject(new ServiceError(0, 'NO_ANSWER', 'silent'))
  expect(await warnings(unavailable)).toEqual([])
})
